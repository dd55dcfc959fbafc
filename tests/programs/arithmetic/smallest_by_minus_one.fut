-- The one quotient that does not fit wraps around.
-- ==
-- input { -2147483648 -1 } output { -2147483648 0 }
entry main (x: i32) (y: i32) = (x / y, x % y)
