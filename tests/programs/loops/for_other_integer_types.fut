-- ==
-- input { 5i32 } output { 10i32 6u8 }
entry main (n: i32) =
  (loop s = 0 for i < n do s + i, loop s = 0u8 for i < 4u8 do s + i)
