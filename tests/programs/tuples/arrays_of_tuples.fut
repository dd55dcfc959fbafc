-- ==
-- input { [1, 2, 3] [10.0, 20.0, 30.0] } output { [3, 2, 1] [30.0, 20.0, 10.0] }
entry main [n] (xs: [n]i32) (ys: [n]f64) =
  unzip (reverse (zip xs ys))
