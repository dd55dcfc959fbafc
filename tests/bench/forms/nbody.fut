-- Accelerations with bodies as rows of a matrix, the three sums one by one.
module core = import "../core/nbody"

def towards [n] (bodies: [n][4]f32) (p: [4]f32) : [3]f32 =
  let weight (q: [4]f32) =
    let square = f32.sum (map2 (\a b -> (b - a) * (b - a)) (take 3 p) (take 3 q))
    let inverse = 1 / f32.sqrt (square + 0.0025)
    in q[3] * inverse * inverse * inverse
  let weights = map weight bodies
  in tabulate 3 (\d -> f32.sum (map2 (\w q -> w * (q[d] - p[d])) weights bodies))

entry input = core.input
entry kernel [n] (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) (masses: [n]f32) : ([n]f32, [n]f32, [n]f32) =
  let bodies = transpose [xs, ys, zs, masses]
  let pulls = map (towards bodies) bodies
  in (map (.[0]) pulls, map (.[1]) pulls, map (.[2]) pulls)
entry checksum = core.checksum
