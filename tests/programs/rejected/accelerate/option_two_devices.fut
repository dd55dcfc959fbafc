-- ==
-- error: a mark names one device, and `cpu` would be a second one
entry main [n] (xs: [n]f64): f64 = #[accelerate(gpu, cpu)] (f64.sum xs)
