-- How operators bind, without parentheses.
-- ==
-- entry: arithmetic
-- input { 2 3 4 } output { 14 -5 10 -14 }
entry arithmetic (a: i32) (b: i32) (c: i32) = (a + b * c, a - b - c, a * b + c, -a - b * c)
-- ==
-- entry: bits_before_comparison
-- input { 6 3 } output { true false }
entry bits_before_comparison (a: i32) (b: i32) = (a & b == 2, a | b == 2)
-- ==
-- entry: logic
-- input { true false } output { true false true }
entry logic (t: bool) (f: bool) = (t || f && f, (t || f) && f, !f && t)
-- ==
-- entry: power
-- input { } output { -8 512 2 }
entry power = (-2 ** 3, 8 ** 3, 4 / 2 ** 1)
