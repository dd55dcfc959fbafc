-- ==
-- entry: inclusive
-- input { [1, 2, 3, 4] } output { [1, 3, 6, 10] [1, 2, 6, 24] }
entry inclusive (xs: []i32) = (scan (+) 0 xs, scan (*) 1 xs)
-- ==
-- entry: exclusive
-- input { [1, 2, 3, 4] } output { [0, 1, 3, 6] }
entry exclusive (xs: []i32) = exscan (+) 0 xs
-- ==
-- entry: empty
-- input { empty([0]i32) } output { empty([0]i32) }
entry empty (xs: []i32) = scan (+) 0 xs
-- ==
-- entry: vectors
-- input { [[1, 2], [3, 4]] } output { [[1, 2], [4, 6]] }
entry vectors [n] (xss: [][n]i32) = scan (map2 (+)) (replicate n 0) xss
