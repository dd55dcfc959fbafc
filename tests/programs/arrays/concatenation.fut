-- ==
-- input { [1, 2] [3] } output { [1, 2, 3] [3, 1, 2] [1, 2] }
entry main (xs: []i32) (ys: []i32) = (xs ++ ys, concat ys xs, xs ++ [])
