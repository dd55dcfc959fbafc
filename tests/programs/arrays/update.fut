-- ==
-- entry: element
-- input { [1, 2, 3] } output { [1, 20, 3] }
entry element (xs: *[]i32) = xs with [1] = 20
-- ==
-- entry: row
-- input { [[1, 2], [3, 4]] } output { [[1, 2], [8, 9]] }
entry row (xss: *[2][2]i32) = xss with [1] = [8, 9]
-- ==
-- entry: slice
-- input { [1, 2, 3, 4] } output { [1, 7, 8, 4] }
entry slice (xs: *[4]i32) = xs with [1:3] = [7, 8]
-- ==
-- entry: column
-- input { [[1, 2], [3, 4]] } output { [[1, 9], [3, 8]] }
entry column (xss: *[2][2]i32) = xss with [:, 1] = [9, 8]
-- ==
-- entry: reversed_onto_itself
-- input { [1, 2, 3] } output { [3, 2, 1] }
entry reversed_onto_itself (xs: *[3]i32) = let ys = copy (xs[::-1]) in xs with [0:3] = ys
