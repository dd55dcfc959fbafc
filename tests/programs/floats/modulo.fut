-- For floats the result of `%` has the dividend's sign, unlike for integers.
-- ==
-- input { } output { 1.5 -1.5 }
entry main = (5.5f64 % 2, (-1.5f64) % 2)
