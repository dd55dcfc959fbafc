-- `/` and `%` round to negative infinity, `//` and `%%` to zero.
-- ==
-- input { [7, -7, 7, -7] [2, 2, -2, -2] }
-- output { [3, -4, -4, 3] [1, 1, -1, -1] [3, -3, -3, 3] [1, -1, 1, -1] }
entry main [n] (xs: [n]i32) (ys: [n]i32) =
  (map2 (/) xs ys, map2 (%) xs ys, map2 (//) xs ys, map2 (%%) xs ys)
