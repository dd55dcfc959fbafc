-- ==
-- input { 2i64 } output { 6i64 }
def two (n: i64) = (iota n, iota n)
def main (n: i64): i64 =
  let (a, b) = two n
  let a[0] = 5
  in a[0] + b[1]
