-- ==
-- error: the state is carried: the last round alone gives it
entry main [n] (xs: [n]i64): i64 = #[parallel] loop x = 0 for i < n do xs[i]
