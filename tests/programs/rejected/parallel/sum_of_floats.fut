-- ==
-- error: `acc` is carried: floats are combined in the order of the rounds
entry main [n] (xs: [n]f64): f64 = #[parallel] loop acc = 0 for x in xs do acc + x
