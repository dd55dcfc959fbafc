-- ==
-- input { [1, 2, 3] } output { 106 }
def main [n] (xs: *[n]i32): i32 =
  let sum (_: i32) = reduce (+) 0 xs
  let s = sum 0
  let xs[0] = 100
  in s + xs[0]
