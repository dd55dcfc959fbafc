-- ==
-- input { [[1, 2], [3, 4]] 1i64 2i64 } error: Index \[1, 2\] out of bounds for array of shape \[2\]\[2\]
entry main (xss: [][]i32) (i: i64) (j: i64) = xss[i, j]
