-- The loop starts from the variables of the same names.
-- ==
-- input { 3 } output { 8 3 }
entry main (n: i32) =
  let a = 1
  let b = 0
  in loop (a, b) for _i < n do (a * 2, b + 1)
