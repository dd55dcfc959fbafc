-- ==
-- entry: squares
-- input { } output { [1i64, 4i64, 9i64] }
entry squares = map (\i -> (i + 1) * (i + 1)) (iota 3)
