-- ==
-- input { [1, 2, 3] } output { 101 }
def main (xs: []i32): i32 =
  let ys = copy xs
  let ys[0] = 100
  in ys[0] + xs[0]
