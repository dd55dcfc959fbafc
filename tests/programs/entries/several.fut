-- ==
-- entry: first
-- input { 1 } output { 2 }
entry first (x: i32) = x + 1
-- ==
-- entry: second third
-- input { 5 } output { 10 }
entry second (x: i32) = x * 2
entry third (x: i32) = x + x
