-- ==
-- input { [1, 2] [3, 4] } output { [9, 2] [3, 4] }
def main (xs: *[]i32) (ys: []i32): ([]i32, []i32) =
  let r = {xs = xs, ys = [0i32]}
  let r = r with ys = ys
  in (r.xs with [0] = 9, [3, 4])
