-- ==
-- input { 5 } output { 6 10 }
entry main (x: i32) =
  let ops = {inc = (+ 1), double = \(y: i32) -> 2 * y}
  in (ops.inc x, ops.double x)
