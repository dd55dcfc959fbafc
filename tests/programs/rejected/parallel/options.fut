-- ==
-- error: `#\[parallel\]` has no options
entry main [n] (xs: [n]i64): i64 = #[parallel(fast)] loop s = 0 for x in xs do s + x
