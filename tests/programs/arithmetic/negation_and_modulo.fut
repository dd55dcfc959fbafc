-- A prefix minus binds tighter than any infix operator.
-- ==
-- input { 7 3 } output { 2 -1 }
entry main (x: i32) (y: i32) = (-x % y, -(x % y))
