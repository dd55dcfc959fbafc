-- ==
-- input { 3i32 } output { 4i32 }
entry main (x: i32): i32 = let f (a: i32, b: i32) = a + b in f (x, 1)
