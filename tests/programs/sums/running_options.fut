-- A scan whose operator matches pairs of options, over several chunks: nothing is before the first.
type option = #none | #some i32

def both (x: option) (y: option) : option =
  match (x, y)
  case (#none, _) -> y
  case (_, #none) -> x
  case (#some a, #some b) -> #some (a + b)

-- ==
-- entry: running
-- input { 0i64 } output { true }
-- input { 5i64 } output { true }
-- input { 70000i64 } output { true }
entry running (n: i64) : bool =
  let xs = map (\i -> if i % 3 == 1 then #none else #some (i32.i64 (i % 17))) (iota n)
  let number (x: option) = match x case #some a -> a case #none -> 0
  let sums = scan (+) 0 (map number xs)
  in and (map2 (\a b -> number a == b) (scan both #none xs) sums)
