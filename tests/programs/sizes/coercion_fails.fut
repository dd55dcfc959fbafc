-- ==
-- input { [1, -2, 3] } error: Value of shape "\[2\]" cannot match shape of type "\[3\]i32"
entry main (xs: []i32) = (filter (> 0) xs) :> [3]i32
