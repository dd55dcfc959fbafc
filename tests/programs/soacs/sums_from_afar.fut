-- Sums of as much as caches have, and of a block less: the order is the same, held against sums of
-- rows, blocks and all.
-- ==
-- entry: main
-- script input { numbers 2047i64 } output { true }
-- script input { numbers 2048i64 } output { true }

entry numbers (blocks: i64) : [blocks * 64 * 64]f32 =
  tabulate (blocks * 64 * 64) (\i -> f32.i64 ((i * 7919) % 1013) / 1013)

entry main [n] (xs: [n]f32) : bool =
  let rows = map f32.sum (unflatten (xs :> [(n / 64) * 64]f32))
  let blocks = map f32.sum (unflatten (rows :> [(n / 64 / 64) * 64]f32))
  in f32.sum xs == (loop s = 0 for b in blocks do s + b)
