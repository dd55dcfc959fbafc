-- ==
-- input { 30i64 } output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64, 23i64, 29i64] }
entry main (n: i64) =
  let composite =
    loop flags = replicate n false for p in 2..<n do
      if p * p < n && !flags[p]
      then scatter flags (map (\k -> p * (k + 2)) (iota (n / p))) (replicate (n / p) true)
      else flags
  in filter (\i -> i > 1 && !composite[i]) (iota n)
