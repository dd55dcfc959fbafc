-- ==
-- input { 5 } output { 6 7 8 }
entry main (x: i32) =
  let (a, (b, c)) = (x + 1, (x + 2, x + 3))
  in (a, b, c)
