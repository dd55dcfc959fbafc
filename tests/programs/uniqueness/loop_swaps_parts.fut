-- ==
-- input { 3i64 } output { [0i64, 0i64, 0i64] [0i64, 1i64, 2i64] }
def main (n: i64): ([]i64, []i64) =
  loop (a, b) = (iota n, replicate n 0i64) for _i < 3i32 do (b, a)
