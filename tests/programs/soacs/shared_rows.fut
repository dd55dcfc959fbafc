-- The nearest of 64 rows, in several words: rows as elements, by their indices, of one array of all
-- rows behind each other, in loops, from the second one on.  Of rows that are equally near the first
-- one.  Distances are whole numbers, which are exact.
-- ==
-- entry: agree
-- input { 0i64 3i64 } output { true }
-- input { 1i64 0i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 7i64 32i64 } output { true }
-- input { 64i64 5i64 } output { true }
-- input { 77i64 33i64 } output { true }
-- input { 300i64 2i64 } output { true }
-- input { 1000i64 70i64 } output { true }

def square (x: f32) : f32 = x * x

def point (salt: i64) (i: i64) (k: i64) : f32 = f32.i64 ((i * 7919 + k * 104729 + salt) % 11)

def nearest_by_reduction [d] (centres: [64][d]f32) (p: [d]f32) : i64 =
  let closer (i, a) (j, b) = if a < b || (a == b && i < j) then (i, a) else (j, b)
  let distance c = f32.sum (map2 (\a b -> square (a - b)) p c)
  in (reduce_comm closer (64, f32.inf) (zip (iota 64) (map distance centres))).0

def nearest_by_index [d] (centres: [64][d]f32) (p: [d]f32) : i64 =
  let distances = tabulate 64 (\c -> f32.sum (map2 (\a b -> square (a - b)) p centres[c]))
  in (loop (best, least) = (0, f32.inf) for c < 64i64 do
        if distances[c] < least then (c, distances[c]) else (best, least)).0

def nearest_by_loop [d] (centres: [64][d]f32) (p: [d]f32) : i64 =
  (loop (best, least) = (0, f32.inf) for c < 64i64 do
     let distance = f32.sum (map2 (\a b -> square (a - b)) p centres[c])
     in if distance < least then (c, distance) else (best, least)).0

def nearest_by_fold [d] (centres: [64][d]f32) (p: [d]f32) : i64 =
  let distance q = map2 (-) p q |> map square |> f32.sum
  in (foldl (\(v, x) (q, y) -> let w = distance q in if w < v then (w, y) else (v, x))
            (distance centres[0], 0) (zip centres (iota 64))).1

def nearest_by_rest [d] (centres: [64][d]f32) (p: [d]f32) : i64 =
  let distances = map (\c -> f32.sum (map2 (\a b -> square (a - b)) c p)) centres
  in (loop (k, least) = (0, distances[0]) for i in 1..<64 do
        if distances[i] < least then (i, distances[i]) else (k, least)).0

def nearest_by_loops [d] (centres: [64][d]f32) (p: [d]f32) : i64 =
  let distances = tabulate 64 (\c -> loop sum = 0 for k < d do sum + square (p[k] - centres[c, k]))
  let least = f32.minimum distances
  in loop c = 0 while distances[c] != least do c + 1

def nearest_by_flat (d: i64) (flat: []f32) (p: [d]f32) : i64 =
  let distances = tabulate 64 (\c -> f32.sum (tabulate d (\k -> square (p[k] - flat[c * d + k]))))
  let least = f32.minimum distances
  in loop c = 0 while distances[c] != least do c + 1

entry agree (n: i64) (d: i64) : bool =
  let points = tabulate_2d n d (point 3)
  let many = tabulate_2d (64 + n) d (point 8)
  let centres = take 64 many
  let flat = flatten many
  let labels = map (nearest_by_reduction centres) points
  let equal = \others -> and (map2 (==) labels others)
  let blocks =
    tabulate ((n + 99) / 100) (\b ->
      loop labels = replicate 100 0 for i in b * 100..<i64.min n ((b + 1) * 100) do
        labels with [i - b * 100] = nearest_by_rest centres points[i])
  in equal (map (nearest_by_index centres) points)
     && equal (map (nearest_by_loop centres) points)
     && equal (map (nearest_by_fold centres) points)
     && equal (map (nearest_by_rest centres) points)
     && equal (map (nearest_by_loops centres) points)
     && equal (map (nearest_by_flat d flat) points)
     && equal (map (\p -> nearest_by_loop (take 64 many) p) points)
     && equal (take n (flatten blocks))

-- Rows that are no numbers are nearer than nothing; nothing is nearer than a first row that is none.
-- ==
-- entry: not_numbers
-- input { 0i64 } output { [0i64, 0i64, 0i64, 0i64] }
-- input { 5i64 } output { [0i64, 0i64, 0i64, 0i64] }
-- input { 33i64 } output { [34i64, 34i64, 0i64, 0i64] }
-- input { 63i64 } output { [0i64, 0i64, 0i64, 0i64] }
entry not_numbers (last: i64) : [4]i64 =
  let rows = tabulate_2d 64 3 (\i k -> if i <= last && (i > 0 || last > 9) then f32.nan else f32.i64 k)
  let p = [0, 1, 2f32]
  in [nearest_by_loop rows p, nearest_by_index rows p, nearest_by_fold rows p, nearest_by_rest rows p]

-- Of rows that are equally near the last one; more than 64 rows, as many as are known when it runs.
-- ==
-- entry: last_of_equals
-- input { 0i64 4i64 } output { -1i64 }
-- input { 1i64 4i64 } output { 0i64 }
-- input { 17i64 4i64 } output { 11i64 }
-- input { 1000i64 4i64 } output { 990i64 }
-- input { 200i64 0i64 } output { 199i64 }
entry last_of_equals (n: i64) (d: i64) : i64 =
  let rows = tabulate_2d n d (\i k -> point 0 i k)
  let p = tabulate d (point 0 0)
  in (loop (best, least) = (-1, f32.inf) for c < n do
        let distance = f32.sum (map2 (\a b -> square (a - b)) p rows[c])
        in if distance <= least then (c, distance) else (best, least)).0

-- All but the first row, of which the first one or the last one of equals is wanted; the first row
-- counts where none is nearer, or none as near.
-- ==
-- entry: from_the_second_on
-- input { 0f32 1f32 } output { [0i64, 0i64, 0i64, 0i64] }
-- input { 1f32 1f32 } output { [0i64, 39i64, 0i64, 39i64] }
-- input { 1f32 0f32 } output { [1i64, 39i64, 1i64, 39i64] }
-- input { f32.inf f32.inf } output { [0i64, 39i64, 0i64, 39i64] }
-- input { f32.nan 1f32 } output { [0i64, 0i64, 0i64, 0i64] }
-- input { 1f32 f32.nan } output { [0i64, 0i64, 0i64, 0i64] }
entry from_the_second_on (first: f32) (others: f32) : [4]i64 =
  let some = tabulate 40 (\i -> if i == 0 then first else others)
  let firsts [n] (xs: [n]f32) =
    (loop (k, least) = (0, xs[0]) for i in 1..<n do
       if xs[i] < least then (i, xs[i]) else (k, least)).0
  let lasts [n] (xs: [n]f32) =
    (loop (k, least) = (0, xs[0]) for i in 1..<n do
       if xs[i] <= least then (i, xs[i]) else (k, least)).0
  let squares = map (\x -> f32.sqrt (x * x)) some
  in [firsts some, lasts some, firsts squares, lasts squares]
