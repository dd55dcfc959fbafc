-- Programs whose work runs in pieces: one for each way in which something is cut.

entry sum [n] (xs: [n]f32): f32 = f32.sum xs

entry mean_and_variance [n] (xs: [n]f32): (f32, f32) =
  let m = f32.sum xs / f32.i64 n
  let q = f32.sum (map (\x -> x * x) xs) / f32.i64 n
  in (m, q - m * m)

entry dot [n] (xs: [n]f32) (ks: [n]i64): f32 =
  reduce (+) 0 (map2 (\x k -> x * f32.i64 k) xs ks)

-- The operator is not commutative: affine maps, one after the other.
entry affine [n] (ks: [n]i64): (i64, i64) =
  reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\k -> (k | 1, k)) ks)

entry affine_floats [n] (xs: [n]f32): (f32, f32) =
  reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\x -> (x * 0.001 + 1, x)) xs)

-- Elements of the fold are arrays.
entry rows [n] (xs: [n]f32): [3]f32 =
  reduce (map2 (+)) (replicate 3 0) (map (\x -> [x, x * x, 1 / (x + 2)]) xs)

entry argmax [n] (xs: [n]f32): (f32, i64) =
  reduce (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j))
         (-f32.inf, -1) (zip xs (iota n))

entry scaled [n] (a: f32) (xs: [n]f32): [n]f32 =
  map (\x -> f32.sqrt (f32.abs (a * x + 1))) xs

entry numbered [n] (ks: [n]i64): [n]i64 = map2 (\i k -> i * k) (indices ks) ks

entry smoothed [n] (xs: [n]f32): [n]f32 =
  tabulate n (\i -> (xs[i64.max 0 (i - 2)] + xs[i] * 2 + xs[i64.min (n - 1) (i + 1)]) / 4)

-- Neighbours of what is computed, which is a result too.
entry smoothed_twice [n] (xs: [n]f32): ([n]f32, [n]f32) =
  let smooth (ys: [n]f32): [n]f32 =
    tabulate n (\i -> (f32.sqrt (f32.abs ys[i64.max 0 (i - 2)]) + ys[i64.min (n - 1) (i + 5)]) / 2)
  let once = smooth xs
  in (once, smooth (map2 (+) once (smooth once)))

-- Nothing but the neighbour in front is read, and only where there is one.
entry steps [n] (xs: [n]f32): [n]f32 =
  tabulate n (\i -> if i > 0 then xs[i] - xs[i - 1] else 0)

entry windows [n] (xs: [n]f32): [n]f32 =
  tabulate n (\i -> f32.sum (tabulate 9 (\j -> xs[i64.max 0 (i64.min (n - 1) (i + j - 4))])))

entry smoothed_sum [n] (xs: [n]f32): f32 =
  f32.sum (tabulate n (\i -> xs[i64.max 0 (i - 1)] * xs[i64.min (n - 1) (i + 3)]))

entry kept [n] (ks: [n]i64): []i64 = filter (\k -> k % 3 == 0) (map (* 2) ks)

entry kept_and_counted [n] (xs: [n]f32): (i64, []f32, f32) =
  let ys = filter (> 0.25) xs
  in (length ys, map (* 2) ys, f32.sum ys)

entry bins [n] (b: i64) (ks: [n]i64): [b]i64 = hist (+) 0 b (map (% b) ks) (map (+ 1) ks)

entry bins_of_floats [n] (b: i64) (xs: [n]f32) (ks: [n]i64): [b]f32 = hist (+) 0 b (map (% b) ks) xs

entry bins_into [n] [b] (into: *[b]i64) (ks: [n]i64): *[b]i64 =
  reduce_by_index into i64.max i64.lowest (map (% b) ks) ks

entry prefixes [n] (xs: [n]f32): [n]f32 = scan (+) 0 (map (* 0.5) xs)

entry placed [n] [b] (into: *[b]f32) (ks: [n]i64) (xs: [n]f32): *[b]f32 =
  scatter into (map (% (b + 3)) ks) (map (+ 1) xs)

entry looked_up [n] [b] (table: [b]f32) (ks: [n]i64): f32 =
  f32.sum (map (\k -> table[k % b] * 0.5) ks)

-- Each element needs all the others: they are whole, the work is cut.
entry forces [n] (xs: [n]f32): [n]f32 =
  map (\x -> f32.sum (map (\y -> 1 / (1 + (x - y) * (x - y))) xs)) xs

entry of_number (n: i64): i64 = reduce (+) 0 (map (\i -> i * i) (iota n))

entry of_rows [n] [m] (xss: [n][m]f32) (v: [m]f32): ([n]f32, f32) =
  let ys = map (\xs -> f32.sum (map2 (*) xs v)) xss
  in (ys, f32.maximum ys)

entry checked [n] (xs: [n]f32) (ks: [n]i64): [n]f32 = map2 (\x k -> x / f32.i64 (100 / k)) xs ks
