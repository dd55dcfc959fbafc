-- Rows that are larger and smaller than what is copied at once, and no divisor of it.
-- ==
-- input { 7i64 100003i64 } output { 0i64 }
-- input { 3i64 400009i64 } output { 0i64 }
-- input { 400009i64 3i64 } output { 0i64 }
-- input { 300007i64 1i64 } output { 0i64 }
def different [n][m] (rows: [n][m]i32): i64 =
  i64.sum (map (\row -> i64.sum (map2 (\i x -> i64.bool (x != i32.i64 i)) (iota m) row)) rows)

entry main (n: i64) (m: i64) = different (replicate n (map i32.i64 (iota m)))
