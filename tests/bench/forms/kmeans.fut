-- One step of Lloyd's algorithm: distances as a matrix, sums dimension by dimension.
module core = import "../core/kmeans"

entry input = core.input
entry kernel [n] [d] (points: [n][d]f32) : [64][d]f32 =
  let centres = take 64 points
  let distances =
    map (\p -> map (\c -> f32.sum (map2 (\a b -> (a - b) * (a - b)) p c)) centres) points
  let nearest (row: [64]f32) =
    let least = f32.minimum row
    in i64.minimum (map2 (\k v -> if v == least then k else 64) (iota 64) row)
  let labels = map nearest distances
  let counts = reduce_by_index (replicate 64 0i32) (+) 0 labels (map (const 1) labels)
  let sums = map (\xs -> hist (+) 0 64 labels xs) (transpose points)
  in map3 (\sum count centre -> map2 (\s c -> if count > 0 then s / f32.i32 count else c) sum centre)
          (transpose sums) counts centres
entry checksum = core.checksum
