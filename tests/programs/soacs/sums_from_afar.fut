-- Sums of as much as caches have (32 MB, of four arrays), and of a block less: the order is the same,
-- held against sums of rows, blocks and all.
-- ==
-- entry: main
-- script input { numbers 255i64 } output { true }
-- script input { numbers 256i64 } output { true }

entry numbers (blocks: i64) : ([]f64, []f64, []f64, []f64) =
  let xs = tabulate (blocks * 64 * 64) (\i -> f64.i64 ((i * 7919) % 1013) / 1013)
  in (xs, xs, xs, xs)

entry main [n] (as: [n]f64) (bs: [n]f64) (cs: [n]f64) (ds: [n]f64) : bool =
  let products = map4 (\a b c d -> a * b - c / (d + 1)) as bs cs ds
  let rows = map f64.sum (unflatten (products :> [(n / 64) * 64]f64))
  let blocks = map f64.sum (unflatten (rows :> [(n / 64 / 64) * 64]f64))
  in f64.sum (map4 (\a b c d -> a * b - c / (d + 1)) as bs cs ds)
     == (loop s = 0 for b in blocks do s + b)
