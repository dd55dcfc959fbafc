-- Rows of products that are overwritten, joined or checked, against products alone.

def matrix (n: i64) (m: i64) (k: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.i64 ((i * 31 + j * 17 + i * j + k) % 11 - 5))

def product [n] [m] [p] (a: [n][m]f32) (b: [p][m]f32) : [n][p]f32 =
  map (\r -> map (\q -> f32.sum (map2 (*) r q)) b) a

def wrong [n] [m] (a: [n][m]f32) (b: [n][m]f32) : i64 =
  map2 (\x y -> i64.bool (x != y)) (flatten a) (flatten b) |> i64.sum

-- ==
-- entry: updated joined two_layers
-- input { 0i64 5i64 7i64 } output { 0i64 }
-- input { 5i64 0i64 7i64 } output { 0i64 }
-- input { 3i64 4i64 1i64 } output { 0i64 }
-- input { 40i64 300i64 70i64 } output { 0i64 }
-- input { 65i64 129i64 150i64 } output { 0i64 }
entry updated (n: i64) (m: i64) (p: i64) : i64 =
  let a = matrix n m 1
  let b = matrix p m 2
  let at = map (% p) (iota n)
  let rows =
    map2 (\r i -> let z = map (\q -> f32.max 0 (f32.sum (map2 (*) r q))) b
                  in z with [i] = z[i] - 1) a at
  let alone = map (map (f32.max 0)) (product a b)
  in wrong rows (map2 (\r i -> map2 (\z j -> if i == j then z - 1 else z) r (iota p)) alone at)

entry joined (n: i64) (m: i64) (p: i64) : i64 =
  let a = matrix n m 1
  let b = matrix p m 2
  let rows = map (\r -> map (\q -> f32.sum (map2 (*) r q)) b ++ [1]) a
  in wrong (map (take p) rows) (product a b) + i64.sum (map (\r -> i64.f32 r[p] - 1) rows)

-- | Two products, one behind the other, with a check and an update between them.
entry two_layers (n: i64) (m: i64) (p: i64) : i64 =
  let a = matrix n m 1
  let b = matrix p m 2
  let c = matrix m p 3
  let at = map (% p) (iota n)
  let layer (r: [m]f32) (i: i64) : [m]f32 =
    let z = map (\q -> f32.sum (map2 (*) r q)) b
    let y = copy z with [i] = z[i] / 2
    in map (\q -> f32.sum (map2 (*) y q)) c
  let first = map2 (\r i -> map2 (\z j -> if i == j then z / 2 else z) r (iota p)) (product a b) at
  in wrong (map2 layer a at) (product first c)
