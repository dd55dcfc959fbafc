-- ==
-- error: `s` is carried: floats are combined in the order of the rounds
entry main [n] [m] (xs: [n][m]f32): [n]f32 =
  #[parallel] loop ys = replicate n 0 for i < n do
    ys with [i] = (#[parallel] loop s = 0 for x in xs[i] do s + x)
