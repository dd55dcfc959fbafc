-- ==
-- input { 4 } output { 14 0 -1 }
type expression = #constant i32 | #sum {left: i32, right: (i32, i32)} | #nothing
def value (e: expression): i32 =
  match e
  case #constant 0 -> -1
  case #constant c -> c + 10
  case #sum {left = 1, right = (_, _)} -> 0
  case #sum {left, right = (a, b)} -> left + a + b
  case #nothing -> 99
entry main (x: i32) = (value (#constant x), value (#sum {left = 1, right = (5, 6)}), value (#constant 0))
