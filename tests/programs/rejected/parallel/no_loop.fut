-- ==
-- error: this marks no loop
entry main [n] (xs: [n]i64): i64 = #[parallel] (i64.sum xs)
