-- Reductions of each row, and of each column: short ones and long ones, held against loops that take
-- one after the other, to the bit.
-- ==
-- entry: rows columns pairs
-- input { 0i64 3i64 } output { true }
-- input { 2i64 0i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 40i64 7i64 } output { true }
-- input { 31i64 31i64 } output { true }
-- input { 33i64 65i64 } output { true }
-- input { 9i64 1000i64 } output { true }
-- input { 3i64 9001i64 } output { true }
-- input { 500i64 33i64 } output { true }
--
-- entry: norms
-- input { [[3.0f64, 4.0f64], [5.0f64, 12.0f64]] } output { [5.0f64, 13.0f64] }

def one_by_one [n] 'row 'r (zero: r) (f: row -> r) (rows: [n]row) : *[n]r =
  loop results = replicate n zero for i < n do results with [i] = f rows[i]

def number (i: i64) (k: i64) = f32.i64 ((i * 7919 + k * 104729) % 1009) / 3

entry rows (n: i64) (m: i64) =
  let all = tabulate_2d n m number
  in and (map2 (==) (map f32.sum all) (one_by_one 0 f32.sum all))

entry columns (n: i64) (m: i64) =
  let all = tabulate_2d m n (\k i -> f64.f32 (number i k))
  let mean (xs: [m]f64) = f64.sqrt (f64.sum xs)
  in and (map2 (==) (map mean (transpose all)) (one_by_one 0 mean (transpose all)))

entry pairs (n: i64) (m: i64) =
  let all = tabulate_2d n m (\i k -> (i * 31 + k * 17) % 101)
  let greatest (xs: [m]i64) =
    reduce (\(a, i) (b, j) -> if b > a then (b, j) else (a, i)) (-1, -1) (zip xs (iota m))
  in and (map2 (==) (map greatest all) (one_by_one (0, 0) greatest all))

entry norms [n] [m] (rows: [n][m]f64) =
  map (\row -> f64.sqrt (f64.sum (map (\x -> x * x) row))) rows
