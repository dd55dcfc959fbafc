-- ==
-- input { 3i64 } output { 4i64 }
def main (n: i64): i64 =
  let make m = iota m
  let xs = make n
  let xs[0] = 2
  in xs[0] + xs[2]
