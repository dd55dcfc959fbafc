-- ==
-- error: this is nothing that can be marked
#[accelerate]
type vector [n] = [n]f64
entry main [n] (xs: vector [n]): f64 = f64.sum xs
