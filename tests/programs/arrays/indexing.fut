-- ==
-- entry: element
-- input { [[1, 2], [3, 4]] } output { 3 [1, 2] 2 }
entry element (xss: [][]i32) = (xss[1, 0], xss[0], xss[0][1])
-- ==
-- entry: by_any_integer
-- input { [5, 6, 7] } output { 6 7 5 }
entry by_any_integer (xs: []i32) = (xs[1u8], xs[2i16], xs[0i64])
