-- ==
-- error: `s` is carried: a round reads what the one before has left
entry main [n] (xs: [n]i64): (i64, i64) =
  #[parallel] loop (s, t) = (7, 0) for x in xs do ((s * 3 + x) % 100, t + x)
