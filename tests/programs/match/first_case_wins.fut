-- ==
-- input { 3 } output { 1 }
entry main (x: i32): i32 =
  match x
  case _ -> 1
  case 3 -> 2
