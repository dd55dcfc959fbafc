-- ==
-- input { [1, 2, 3] 1i64 4i64 } error: out of bounds
-- input { [1, 2, 3] 2i64 1i64 } error: out of bounds
entry main (xs: []i32) (i: i64) (j: i64) = xs[i:j]
