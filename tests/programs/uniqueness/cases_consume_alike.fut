-- ==
-- input { 0 [1, 2] } output { [5, 2] }
-- input { 3 [1, 2] } output { [1, 3] }
def main (x: i32) (xs: *[]i32): []i32 =
  match x
  case 0 -> xs with [0] = 5
  case y -> xs with [1] = y
