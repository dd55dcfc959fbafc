-- ==
-- input { [1, 2] [3, 4] } output { [4, 6] }
-- input { [1, 2] [3, 4, 5] } error: Value of shape "\[3\]" cannot match shape of type "\[n\]"
entry main [n] (xs: [n]i32) (ys: [n]i32) = map2 (+) xs ys
