-- ==
-- input { [1, 2, 3] } output { [1, 2, 3] }
entry main (xs: []i32) = (filter (> 0) xs) :> [3]i32
