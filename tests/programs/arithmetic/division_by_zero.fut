-- ==
-- input { 1 0 } error: ivision by zero
entry main (x: i32) (y: i32) = x / y
