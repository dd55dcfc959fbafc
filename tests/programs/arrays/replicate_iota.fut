-- ==
-- input { 3i64 } output { [7, 7, 7] [0i64, 1i64, 2i64] [[1, 1], [1, 1], [1, 1]] }
entry main (n: i64) = (replicate n 7, iota n, replicate n (replicate 2 1))
