-- ==
-- error: this is no option of `#\[accelerate\]`
entry main [n] (xs: [n]f64): f64 = #[accelerate(4)] (f64.sum xs)
