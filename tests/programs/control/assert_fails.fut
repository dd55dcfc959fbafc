-- ==
-- input { 3 } error: Assertion is false
entry main (x: i32) = assert (x % 2 == 0) (x / 2)
