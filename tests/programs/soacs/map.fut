-- ==
-- entry: one
-- input { [1, 2, 3] } output { [2, 3, 4] }
entry one (xs: []i32) = map (+ 1) xs
-- ==
-- entry: several
-- input { [1, 2] [3, 4] [5, 6] } output { [4, 6] [9, 12] [8, 14] }
entry several [n] (a: [n]i32) (b: [n]i32) (c: [n]i32) =
  (map2 (+) a b, map3 (\x y z -> x + y + z) a b c, map3 (\x y z -> x * y + z) a b c)
-- ==
-- entry: nested
-- input { [[1, 2], [3, 4]] } output { [[2, 4], [6, 8]] }
entry nested (xss: [][]i32) = map (map (* 2)) xss
