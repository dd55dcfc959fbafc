-- ==
-- entry: two
-- input { [1, 2, 3, 4, 5] } output { [2, 4] [1, 3, 5] }
entry two (xs: []i32) = partition (\x -> x % 2 == 0) xs
-- ==
-- entry: three
-- input { [1, 2, 3, 4, 5, 6] } output { [3, 6] [1, 4] [2, 5] }
entry three (xs: []i32) = partition2 (\x -> x % 3 == 0) (\x -> x % 3 == 1) xs
