-- ==
-- input { [3, 0, 5] } output { [33, -1, 20] }
type option 'a = #none | #some a
def divide (x: i32) (y: i32): option i32 = if y == 0 then #none else #some (x / y)
def or_else 'a (d: a) (o: option a): a =
  match o
  case #none -> d
  case #some x -> x
entry main (ys: []i32) = map (\y -> or_else (-1) (divide 100 y)) ys
