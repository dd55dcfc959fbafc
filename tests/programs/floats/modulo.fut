-- For floats too the result of `%` has the divisor's sign.
-- ==
-- input { } output { 1.5 0.5 }
entry main = (5.5f64 % 2, (-1.5f64) % 2)
