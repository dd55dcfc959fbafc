-- ==
-- input { [1, 2, 3] } output { 1 3 [1, 2] [2, 3] }
entry main (xs: []i32) = (head xs, last xs, init xs, tail xs)
