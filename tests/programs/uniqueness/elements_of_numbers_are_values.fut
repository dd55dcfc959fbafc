-- ==
-- input { [1, 2] } output { 1 }
def main (xs: *[]i32): i32 =
  let x = xs[0]
  let ys = xs with [0] = 9
  in x + ys[0] - 9
