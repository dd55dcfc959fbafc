-- ==
-- input { [1, 2, 3] 5i64 } error: Index \[5\] out of bounds for array of shape \[3\]
entry main (xs: *[]i32) (i: i64) = xs with [i] = 0
