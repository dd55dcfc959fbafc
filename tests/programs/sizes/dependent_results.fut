-- ==
-- input { 2i64 3i64 } output { [[0, 0, 0], [0, 0, 0]] 6i64 }
def matrix (n: i64) (m: i64): [n][m]i32 = replicate n (replicate m 0)
entry main (n: i64) (m: i64) =
  let a = matrix n m
  in (a, length (flatten a))
