-- ==
-- input { 3i64 } output { [0i64, 2i64, 4i64] }
def main (n: i64): []i64 =
  loop (xs: *[n]i64) = iota n for i < n do xs with [i] = xs[i] * 2
