-- Histograms of columns whose elements go to the same bins, some of which are not there.

-- ==
-- entry: sums
-- input { [0i64, 2, -1, 0, 3, 2] [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [1, 1, 1, 1, 1],
--         [10, 20, 30, 40, 50], [2, 2, 2, 2, 2], [100, 100, 100, 100, 100]] }
-- output { [[11, 0, 106], [22, 0, 107], [33, 0, 108], [44, 0, 109], [55, 0, 110]] }
-- input { [0i64, 2] [[1, 2], [3, 4]] }
-- output { [[1, 0, 3], [2, 0, 4]] }
-- input { empty([0]i64) empty([0][4]i32) }
-- output { [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]] }
entry sums [n] [p] (is: [n]i64) (a: [n][p]i32) : [p][3]i32 =
  map (\xs -> hist (+) 0 3 is xs) (transpose a)

-- ==
-- entry: in_order
-- unlawful input { [0i64, 1, 0, 0, 1] [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [1, 1, 1, 1], [2, 3, 4, 5]] }
-- output { [[-37, -17], [-49, -21], [-61, -25], [-73, -29]] }
entry in_order [n] [p] (is: [n]i64) (a: [n][p]i32) : [p][2]i32 =
  map (\xs -> hist (\x y -> 3 * x - y) 0 2 is xs) (transpose a)
