-- ==
-- input { 3i64 } output { 4i64 }
def main (n: i64): i64 =
  let make = \(m: i64) -> iota m
  let xs = make n
  let ys = make n
  let xs[0] = 2
  in xs[0] + ys[2]
