-- ==
-- input { 2i64 } output { [7i64, 1i64] [0i64, 8i64] }
def main (n: i64): ([]i64, []i64) =
  let {a, b} = {a = iota n, b = iota n}
  let a[0] = 7
  let b[1] = 8
  in (a, b)
