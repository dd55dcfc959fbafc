-- A loop that carries groups and their means: reductions with an operator that finds the least, and
-- a histogram of rows, see what the round before has left.
-- ==
-- entry: settled
-- input { 3i64 } output { 2i32 [0i64, 1i64, 2i64] }

def distance [d] (a: [d]f64) (b: [d]f64) : f64 = f64.sum (map2 (\x y -> (x - y) ** 2) a b)

def nearest [k] [d] (centres: [k][d]f64) (p: [d]f64) : i64 =
  let closer = \(i, a) (j, b) -> if b < a || (b == a && j < i) then (j, b) else (i, a)
  in (reduce_comm closer (k, f64.inf) (zip (iota k) (map (distance p) centres))).0

def means [n] [d] (k: i64) (points: [n][d]f64) (group: [n]i64) : [k][d]f64 =
  let counts = hist (+) 0 k group (replicate n 1)
  let sums = hist (map2 (+)) (replicate d 0) k group points
  in map2 (\sum count -> map (/ f64.i64 (i64.max 1 count)) sum) sums counts

entry settled (n: i64) : (i32, [n]i64) =
  let points = map (\i -> map (\j -> f64.i64 ((i * 79 + j * 104) % 101)) (iota 4)) (iota n)
  let (_, groups, rounds, _) =
    loop (centres, groups, rounds, moving) =
           ([points[0], points[n / 2], points[n - 1]], replicate n (-1), 0, true)
    while moving do
      let next = map (nearest centres) points
      in (means 3 points next, next, rounds + 1, or (map2 (!=) groups next))
  in (rounds, groups)
