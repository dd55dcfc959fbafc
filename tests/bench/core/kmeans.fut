-- One step of Lloyd's algorithm: 64 centres, 32 dimensions.
import "common"

def distance [d] (p: [d]f32) (q: [d]f32) : f32 =
  f32.sum (map2 (\a b -> (a - b) * (a - b)) p q)

def nearest [k] [d] (centres: [k][d]f32) (p: [d]f32) : i64 =
  let closer (i, a) (j, b) = if a < b || (a == b && i < j) then (i, a) else (j, b)
  let (i, _) =
    reduce_comm closer (k, f32.inf) (zip (iota k) (map (distance p) centres))
  in i

entry input (n: i64) = tabulate_2d n 32 (\i d -> uniform 1 (32 * i + d))

entry kernel [n] [d] (points: [n][d]f32) =
  let centres = take 64 points
  let labels = map (nearest centres) points
  let sums =
    reduce_by_index (replicate 64 (replicate d 0)) (map2 (+)) (replicate d 0) labels points
  let counts = hist (+) 0i32 64 labels (replicate n 1)
  in map3 (\sum count centre -> if count > 0 then map (/ f32.i32 count) sum else centre)
          sums counts centres

entry checksum [k] [d] (centres: [k][d]f32) = digest_f32 (flatten centres)
