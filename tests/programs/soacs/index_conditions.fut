-- Neighbours are read under conditions on the index, which keep their value for long ranges; the
-- same with neighbours that lie in arrays of their own, where no index has a condition.
-- ==
-- entry: clamped_is_padded branches_are_padded in_two_dimensions by_a_distance
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 2i64 } output { true }
-- input { 19i64 } output { true }
-- input { 130i64 } output { true }

-- ==
-- entry: beyond_the_end
-- input { 100i64 40i64 } error: Index \[100\] out of bounds for array of shape \[100\]\.
-- input { 100i64 200i64 } error: Index \[-60\] out of bounds for array of shape \[100\]\.

def some (n: i64) : [n]i32 = tabulate n (\i -> i32.i64 ((i * i + 3 * i) % 23))

def equal [n] (xs: [n]i32) (ys: [n]i32) : bool = and (map2 (==) xs ys)

entry clamped_is_padded (n: i64) : bool =
  let xs = some n
  let west = tabulate n (\i -> xs[i64.max 0 (i - 1)])
  let east = tabulate n (\i -> xs[i64.min (n - 1) (i + 1)])
  in n == 0 ||
     equal (tabulate n (\i -> xs[i64.max 0 (i - 1)] + 2 * xs[i] + 3 * xs[i64.min (n - 1) (i + 1)]))
           (map3 (\a b c -> a + 2 * b + 3 * c) west xs east)
     && equal west (([head xs] ++ init xs) :> [n]i32)
     && equal east ((tail xs ++ [last xs]) :> [n]i32)

entry branches_are_padded (n: i64) : bool =
  let xs = some n
  let padded = [0] ++ xs ++ [0]
  in equal (tabulate n (\i -> if i == 0 then (if n == 1 then 0 else xs[1])
                              else if i == n - 1 then xs[i - 1]
                              else xs[i - 1] + xs[i + 1]))
           (map2 (+) (take n padded) (drop 2 padded :> [n]i32))

entry in_two_dimensions (n: i64) : bool =
  let m = n + 5
  let grid = unflatten (some (n * m) :> [n * m]i32)
  let at i j = if i >= 0 && i < n && j >= 0 && j < m then grid[i, j] else 0
  let sums = tabulate_2d n m (\i j -> at (i - 1) j + at (i + 1) j + at i (j - 1) + at i (j + 1))
  let inner =
    tabulate_2d n m (\i j ->
      if i > 0 && i < n - 1 && j > 0 && j < m - 1
      then grid[i - 1, j] + grid[i + 1, j] + grid[i, j - 1] + grid[i, j + 1]
      else sums[i, j])
  in equal (flatten sums) (flatten inner)

entry by_a_distance (n: i64) : bool =
  all (\k ->
         let xs = some n
         let far = tabulate n (\i -> if i >= k && i + k < n then xs[i - k] - xs[i + k] else -100)
         let inner = i64.max 0 (n - 2 * k)
         in equal (take (i64.min k n) far) (replicate (i64.min k n) (-100))
            && equal (take inner (drop (i64.min k n) far))
                     (map2 (-) (take inner xs) (take inner (drop (i64.min (2 * k) n) xs))))
      [0, 1, 3, 16, 60, 200]

entry beyond_the_end (n: i64) (k: i64) : [n]i32 =
  let xs = some n
  in tabulate n (\i -> if i < k then xs[i - i64.max 0 (k - 140)] else xs[i + 1])
