-- ==
-- error: `c` is carried: a round reads what the one before has left
entry main [n] (xs: [n]i64): ([n]i64, i64) =
  #[parallel] loop (ys, c) = (copy xs, 0) for x in xs do
    if x > 0 then (ys with [c] = x, (c * 5 + x) % n) else (ys, c)
