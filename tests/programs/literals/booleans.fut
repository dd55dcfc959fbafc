-- ==
-- input { true false } output { false true true false }
entry main (a: bool) (b: bool) = (a && b, a || b, a != b, !a)
