-- ==
-- input { 1i64 0i64 } error: ivision by zero
entry main (x: i64) (y: i64) = x % y
