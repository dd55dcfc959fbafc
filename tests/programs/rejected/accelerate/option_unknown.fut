-- ==
-- error: `fast` is no option of `#\[accelerate\]`
entry main [n] (xs: [n]f64): f64 = #[accelerate(fast)] (f64.sum xs)
