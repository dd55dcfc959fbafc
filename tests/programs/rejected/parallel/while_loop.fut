-- ==
-- error: a `while` loop has no iterations that could run in any order
entry main (n: i64): i64 = #[parallel] loop x = n while x > 10 do x / 2
