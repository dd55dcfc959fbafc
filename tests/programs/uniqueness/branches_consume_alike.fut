-- ==
-- input { true [1, 2] } output { [5, 2] }
-- input { false [1, 2] } output { [1, 6] }
def main (b: bool) (xs: *[]i32): []i32 =
  if b then xs with [0] = 5 else xs with [1] = 6
