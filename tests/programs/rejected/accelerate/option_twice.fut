-- ==
-- error: `prefer` stands twice
entry main [n] (xs: [n]f64): f64 = #[accelerate(prefer, prefer)] (f64.sum xs)
