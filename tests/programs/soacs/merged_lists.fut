-- Sorted lists that a reduction merges: an operator with a loop that fills an array by choices.

def merge [m] (a: [m]i64) (b: [m]i64) : [m]i64 =
  let (out, _, _) =
    loop (out, i, j) = (replicate m 0, 0, 0) for k < m do
      if b[j] < a[i] then (out with [k] = b[j], i, j + 1) else (out with [k] = a[i], i + 1, j)
  in out

-- ==
-- entry: least
-- input { 0i64 } output { [1000i64, 1000, 1000] }
-- input { 1i64 } output { [0i64, 7, 14] }
-- input { 100i64 } output { [0i64, 0, 0] }
entry least (n: i64) : [3]i64 =
  let lists = tabulate_2d n 32 (\i j -> i % 40 + 7 * j)
  in take 3 (reduce merge (replicate 32 1000) lists)
