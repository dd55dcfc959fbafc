-- Histograms whose elements come bin by bin, some of which do not exist, against loops.

def bins (n: i64) (run: i64) : [n]i64 =
  map (\i -> let r = i / run in if r % 23 == 7 then -1 else if r % 29 == 5 then 1i64 << 40 else r % 1000)
      (iota n)

def sums [n] (k: i64) (is: [n]i64) (xs: [n]i32) : [k]i32 =
  loop acc = replicate k 3i32 for i < n do
    if is[i] >= 0 && is[i] < k then acc with [is[i]] = acc[is[i]] + xs[i] else acc

-- ==
-- entry: of_integers of_floats of_pairs of_ascending
-- input { 0i64 1i64 } output { true }
-- input { 5i64 3i64 } output { true }
-- input { 1000i64 1i64 } output { true }
-- input { 1000i64 7i64 } output { true }
-- input { 5000i64 16i64 } output { true }
-- input { 5000i64 333i64 } output { true }
-- input { 300000i64 1i64 } output { true }
-- input { 300000i64 13i64 } output { true }
-- input { 300000i64 100000i64 } output { true }
entry of_integers (n: i64) (run: i64) : bool =
  let is = bins n run
  let xs = map (\i -> i32.i64 (i * i % 1001) - 500) (iota n)
  in and (map2 (==) (reduce_by_index (replicate 1000 3i32) (+) 0 is xs) (sums 1000 is xs))

-- | Sums of whole numbers are exact in any order.
entry of_floats (n: i64) (run: i64) : bool =
  let is = bins n run
  let xs = map (\i -> i32.i64 (i * i % 101) - 50) (iota n)
  in and (map2 (==) (reduce_by_index (replicate 1000 3f32) (+) 0 is (map f32.i32 xs))
                    (map f32.i32 (sums 1000 is xs)))

entry of_pairs (n: i64) (run: i64) : bool =
  let is = bins n run
  let xs = map (\i -> i32.i64 (i * i % 101) - 50) (iota n)
  let pairs = reduce_by_index (replicate 1000 (3i32, i64.lowest)) (\(a, b) (c, d) -> (a + c, i64.max b d))
                              (0, i64.lowest) is (zip xs (iota n))
  let last = loop acc = replicate 1000 i64.lowest for i < n do
    if is[i] >= 0 && is[i] < 1000 then acc with [is[i]] = i else acc
  in and (map2 (==) (map (.0) pairs) (sums 1000 is xs)) && and (map2 (==) (map (.1) pairs) last)

-- | More bins than the caches hold.
entry of_ascending (n: i64) (run: i64) : bool =
  let is = map (/ run) (iota n)
  let xs = map (\i -> i32.i64 (i * i % 101) - 50) (iota n)
  in and (map2 (==) (reduce_by_index (replicate 900000 3i32) (+) 0 is xs) (sums 900000 is xs))
