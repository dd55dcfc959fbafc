-- ==
-- input { } output { [[3, 0], [0, 4]] }
entry main = reduce_by_index_2d (replicate 2 (replicate 2 0)) (+) 0 [(0, 0), (0, 0), (1, 1)] [1, 2, 4]
