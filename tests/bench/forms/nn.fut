-- The least distance first, then where it is.
module core = import "../core/nn"

entry input = core.input
entry kernel [n] (x: [n]f32) (y: [n]f32) : [32]i32 =
  let square a = (a - 0.5) * (a - 0.5)
  let distances = map2 (\x y -> f32.sqrt (square x + square y)) x y
  let (found, _) =
    loop (found, ds) = (replicate 32 0, distances) for k < 32i64 do
      let least = f32.minimum ds
      let i = i64.minimum (map2 (\i d -> if d == least then i else n) (iota n) ds)
      in (found with [k] = i32.i64 i, ds with [i] = f32.inf)
  in found
entry checksum = core.checksum
