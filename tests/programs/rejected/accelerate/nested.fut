-- ==
-- error: `#\[accelerate\(gpu\)\]` is for another device than `cpu`
def total [n] (xs: [n]f64): f64 = #[accelerate(gpu)] (f64.sum xs)
entry main [n] (xs: [n]f64): f64 = #[accelerate(cpu)] (1 + total xs)
