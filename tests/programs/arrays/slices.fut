-- ==
-- entry: plain
-- input { [0, 1, 2, 3, 4, 5] } output { [1, 2, 3] [0, 1] [4, 5] [0, 1, 2, 3, 4, 5] }
entry plain (xs: []i32) = (xs[1:4], xs[:2], xs[4:], xs[:])
-- ==
-- entry: strided
-- input { [0, 1, 2, 3, 4, 5] } output { [0, 2, 4] [1, 4] [5, 4, 3, 2, 1, 0] [4, 2] }
entry strided (xs: []i32) = (xs[::2], xs[1::3], xs[::-1], xs[4:0:-2])
-- ==
-- entry: empty
-- input { [0, 1, 2] } output { empty([0]i32) empty([0]i32) }
entry empty (xs: []i32) = (xs[1:1], xs[3:])
-- ==
-- entry: two_dimensions
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] }
-- output { [[2, 3], [5, 6]] [2, 5, 8] [[3, 2, 1]] }
entry two_dimensions (xss: [3][3]i32) = (xss[:2, 1:], xss[:, 1], xss[0:1, ::-1])
