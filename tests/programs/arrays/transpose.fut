-- ==
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 4], [2, 5], [3, 6]] 5 }
entry main (xss: [][]i32) = let t = transpose xss in (t, t[1, 1])
