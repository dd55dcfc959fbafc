-- ==
-- input { -1i64 } error: .
entry main (n: i64) = replicate n 0
