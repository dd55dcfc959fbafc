-- ==
-- input { true false } output { 1 2 4 }
def f (a: bool) (b: bool): i32 =
  match (a, b)
  case (true, true) -> 1
  case (true, false) -> 2
  case (false, true) -> 3
  case (false, false) -> 4
entry main (t: bool) (g: bool) = (f t t, f t g, f g g)
