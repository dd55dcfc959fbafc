-- ==
-- input { -1i64 } error: Range 0\.\.1\.\.<-1 is invalid
entry main (n: i64) = replicate n 0
