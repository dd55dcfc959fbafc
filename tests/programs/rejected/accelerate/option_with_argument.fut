-- ==
-- error: `prefer\(…\)` is no option of `#\[accelerate\]`
entry main [n] (xs: [n]f64): f64 = #[accelerate(prefer(cpu))] (f64.sum xs)
