-- ==
-- input { [1, 2] [3, 4] } output { 11 }
entry main [n] (xs: [n]i32) (ys: [n]i32) = loop acc = 0 for (x, y) in zip xs ys do acc + x * y
