-- A scaled vector plus another, in two steps.
module core = import "../core/saxpy"

entry input = core.input
entry kernel [n] (xs: [n]f32) (ys: [n]f32) : [n]f32 =
  let scaled = map (* 2.5) xs
  in tabulate n (\i -> scaled[i] + ys[i])
entry checksum = core.checksum
