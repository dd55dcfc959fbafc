-- ==
-- input { [1, 2, 3] } output { true false true true false }
entry main (xs: []i32) = (all (> 0) xs, all (> 1) xs, any (> 2) xs, and (map (> 0) xs), or (map (> 9) xs))
