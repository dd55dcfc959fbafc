-- ==
-- input { } output { true false true }
entry main = ((1, 2) == (1, 2), (1, [2, 3]) == (1, [2, 4]), () == ())
