-- ==
-- input { 4 } output { 17 }
entry main (x: i32) =
  let square y = y * y
  let add_one (y: i32): i32 = y + 1
  in add_one (square x)
