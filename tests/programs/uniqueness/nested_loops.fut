-- ==
-- input { 2i64 } output { [[0i64, 1i64], [1i64, 2i64]] }
def main (n: i64): [][]i64 =
  loop m = replicate n (replicate n 0i64) for i < n do
    loop m for j < n do m with [i, j] = i + j
