-- ==
-- input { } output { [9, 1, 9, 2] }
entry main = spread 4 9 [1, 3] [1, 2]
