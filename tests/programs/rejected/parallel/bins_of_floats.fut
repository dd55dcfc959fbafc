-- ==
-- error: `hs` is carried: floats are combined .*`reduce_by_index`
entry main [n] [k] (bs: [n]i64) (xs: [n]f32) (hs: *[k]f32): [k]f32 =
  #[parallel] loop hs for i < n do hs with [bs[i]] = hs[bs[i]] + xs[i]
