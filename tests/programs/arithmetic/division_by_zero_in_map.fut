-- ==
-- input { [4, 2, 0] } error: ivision by zero
entry main (xs: []i32) = map (8 /) xs
