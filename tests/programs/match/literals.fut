-- ==
-- input { [0, 1, 5, -1] } output { [100, 200, 300, 400] }
def classify (x: i32): i32 =
  match x
  case 0 -> 100
  case 1 -> 200
  case -1 -> 400
  case _ -> 300
entry main (xs: []i32) = map classify xs
