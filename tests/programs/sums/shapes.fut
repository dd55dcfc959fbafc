-- ==
-- input { } output { [12.0, 6.0, 0.0] }
type shape = #rectangle f64 f64 | #triangle f64 f64 | #point
def area (s: shape): f64 =
  match s
  case #rectangle w h -> w * h
  case #triangle b h -> b * h / 2
  case #point -> 0
entry main = map area [#rectangle 3 4, #triangle 3 4, #point]
