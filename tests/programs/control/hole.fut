-- ==
-- input { 1 } error: hole
entry main (x: i32): i32 = if x == 1 then ??? else x
