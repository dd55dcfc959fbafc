-- ==
-- entry: add
-- input { [1, 2] [3, 4] } output { [4, 6] }
entry add [n] : [n]i32 -> [n]i32 -> [n]i32 = map2 (+)
-- ==
-- entry: total
-- input { [1, 2, 3] } output { 6 }
entry total = i32.sum
