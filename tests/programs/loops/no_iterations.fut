-- ==
-- input { 7 } output { 7 7 }
entry main (x: i32) =
  (loop y = x for _i < 0i32 do y + 1, loop y = x while false do y + 1)
