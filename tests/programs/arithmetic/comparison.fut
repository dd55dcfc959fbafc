-- ==
-- input { 1 2 } output { true true false false false true }
entry main (a: i32) (b: i32) = (a < b, a <= b, a > b, a >= b, a == b, a != b)
