-- An operator that is not associative.
-- ==
-- input { [1.0, 2.0, 4.0] } output { 6.479 }
def mixed (a: f64) (b: f64) = a * 0.7 + b * 1.1
entry main (xs: []f64) = reduce mixed 0 xs
