-- ==
-- input { 1 } output { 4 }
entry main (x: i32) =
  let x = x + 1
  let x = x * 2
  in x
