-- An operator that is not associative.
-- ==
-- input { [1.0, 2.0, 4.0] } output { 6.479 }
def mixed (a: f64) (b: f64) = a * 0.7 + b * 1.1
entry main (xs: []f64) = reduce mixed 0 xs
-- Two that are not: which of them shows, results do not tell.
entry two (xs: []f64) = let m = reduce (-) 0 xs in if m > 1000 then 0 else reduce mixed 0 xs
