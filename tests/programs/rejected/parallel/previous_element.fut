-- ==
-- error: `ys` is carried: a round reads what another one may have written
entry main [n] (xs: [n]i64): [n]i64 =
  #[parallel] loop ys = copy xs for i < n - 1 do ys with [i + 1] = ys[i] + 1
