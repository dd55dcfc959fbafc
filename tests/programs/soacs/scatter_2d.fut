-- ==
-- input { } output { [[0, 1], [2, 0]] }
entry main = scatter_2d (replicate 2 (replicate 2 0)) [(0, 1), (1, 0), (5, 5)] [1, 2, 3]
