-- ==
-- input { [1, -2, 3, -4] } output { [1, 3] 2i64 empty([0]i32) }
entry main (xs: []i32) = (filter (> 0) xs, length (filter (< 0) xs), filter (> 100) xs)
