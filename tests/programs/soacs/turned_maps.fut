-- What is done to columns by transposing before and after, against the same written for elements.

def matrix (n: i64) (m: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.i64 ((i * 31 + j * 17 + i * j) % 101) / 8)

def wrong [n] [m] (a: [n][m]f32) (b: [n][m]f32) : i64 =
  map2 (\x y -> i64.bool (x != y)) (flatten a) (flatten b) |> i64.sum

-- | Sums of both neighbours, the last ones twice at the ends.
def around [k] (v: [k]f32) : [k]f32 =
  map (\i -> v[i64.max 0 (i - 1)] + v[i64.min (k - 1) (i + 1)]) (iota k)

-- ==
-- entry: neighbours
-- input { 0i64 5i64 } output { 0i64 }
-- input { 5i64 0i64 } output { 0i64 }
-- input { 1i64 1i64 } output { 0i64 }
-- input { 1i64 9i64 } output { 0i64 }
-- input { 9i64 1i64 } output { 0i64 }
-- input { 17i64 33i64 } output { 0i64 }
-- input { 70i64 131i64 } output { 0i64 }
entry neighbours (n: i64) (m: i64) : i64 =
  let a = matrix n m
  let sums = map2 (map2 (+)) (map around a) (transpose (map around (transpose a)))
  in wrong sums (tabulate_2d n m (\i j ->
       (a[i, i64.max 0 (j - 1)] + a[i, i64.min (m - 1) (j + 1)])
       + (a[i64.max 0 (i - 1), j] + a[i64.min (n - 1) (i + 1), j])))

-- | Flows between neighbours, none at both ends, and what each one gains.
def gains [k] (row: [k]f32) : [k]f32 =
  let flows = tabulate (k + 1) (\j -> if j == 0 || j == k then 0 else row[j - 1] - row[j])
  in map (\j -> flows[j] - flows[j + 1]) (iota k)

-- ==
-- entry: flows
-- input { 0i64 5i64 2i32 } output { 0i64 }
-- input { 5i64 0i64 2i32 } output { 0i64 }
-- input { 1i64 1i64 3i32 } output { 0i64 }
-- input { 2i64 19i64 3i32 } output { 0i64 }
-- input { 19i64 2i64 3i32 } output { 0i64 }
-- input { 67i64 35i64 4i32 } output { 0i64 }
entry flows (n: i64) (m: i64) (rounds: i32) : i64 =
  let flow [n] [m] (a: [n][m]f32) i j k l : f32 =
    if i < 0 || j < 0 || k >= n || l >= m then 0 else a[i, j] - a[k, l]
  let by_rows [n] [m] (a: [n][m]f32) =
    map3 (map3 (\x d r -> x + 0.25 * (d + r))) a (transpose (map gains (transpose a))) (map gains a)
  let by_elements [n] [m] (a: [n][m]f32) =
    tabulate_2d n m (\i j ->
      let down = flow a (i - 1) j i j - flow a i j (i + 1) j
      let right = flow a i (j - 1) i j - flow a i j i (j + 1)
      in a[i, j] + 0.25 * (down + right))
  in wrong (iterate rounds by_rows (matrix n m)) (iterate rounds by_elements (matrix n m))

def before [n] (xs: [n]f32) : [n]f32 = [head xs] ++ init xs :> [n]f32
def after [n] (xs: [n]f32) : [n]f32 = tail xs ++ [last xs] :> [n]f32
def smooth [n] (xs: [n]f32) : [n]f32 = map3 (\l x r -> l + 2 * x + r) (before xs) xs (after xs)

-- | Rows that are checked, one after the other; no rows have no last element, no row none to check.
-- ==
-- entry: smoothed
-- input { 1i64 1i64 } output { 0i64 }
-- input { 1i64 40i64 } output { 0i64 }
-- input { 40i64 1i64 } output { 0i64 }
-- input { 33i64 50i64 } output { 0i64 }
-- input { 0i64 3i64 } error: Index \[0\] out of bounds for array of shape \[0\]
-- input { 0i64 0i64 } output { 0i64 }
entry smoothed (n: i64) (m: i64) : i64 =
  let a = matrix n m
  let columns = map (map (/ 16)) (transpose (map smooth (transpose a)))
  in wrong columns (tabulate_2d n m (\i j ->
       (a[i64.max 0 (i - 1), j] + 2 * a[i, j] + a[i64.min (n - 1) (i + 1), j]) / 16))

-- | One after the other, with a number for each column; both results are read across.
-- ==
-- entry: chain
-- input { 0i64 4i64 } output { 0i64 }
-- input { 4i64 0i64 } output { 0i64 }
-- input { 1i64 1i64 } output { 0i64 }
-- input { 18i64 37i64 } output { 0i64 }
-- input { 65i64 16i64 } output { 0i64 }
entry chain (n: i64) (m: i64) : i64 =
  let a = matrix n m
  let weights = tabulate m (\j -> 1 + f32.i64 j / 4)
  let (squares, scaled) =
    unzip (map2 (\w column -> unzip (map (\x -> (x * x, w * x)) column)) weights (transpose a))
  let both = map2 (map2 (-)) squares scaled
  in wrong (transpose both) (tabulate_2d n m (\i j -> a[i, j] * a[i, j] - weights[j] * a[i, j]))
