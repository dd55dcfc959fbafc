-- ==
-- error: nothing stands between the parentheses
entry main [n] (xs: [n]f64): f64 = #[accelerate()] (f64.sum xs)
