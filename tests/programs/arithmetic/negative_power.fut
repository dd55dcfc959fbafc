-- ==
-- input { 2 -1 } error: negative
entry main (x: i32) (y: i32) = x ** y
