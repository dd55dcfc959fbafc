-- What does not run in pieces, and why.

entry normalised [n] (xs: [n]f32): [n]f32 =
  let s = f32.sum xs in map (/ s) xs

entry in_turn [n] (xs: [n]f32): f32 = loop s = 0 for x in xs do s * 0.5 + x

entry no_sizes (x: f32): f32 = x * 2

entry read_anywhere [n] (xs: [n]f32) (ks: [n]i64): [n]f32 =
  let ys = map (\x -> loop y = x for j < 100 do f32.sin (y * y)) xs
  in map (\k -> ys[k % n]) ks

entry positions_of_kept [n] (xs: [n]f32): []f32 =
  let ys = filter (> 0) xs
  in map2 (\i y -> y * f32.i64 i) (indices ys) ys

entry recursive_sum [n] (xs: [n]f32): f32 = #[interpret] (f32.sum xs)
