-- ==
-- error: `ys` is carried: a round makes all of it anew
entry main [n] (xs: [n]i64): [n]i64 = #[parallel] loop ys = copy xs for i < n do map (+ i) ys
