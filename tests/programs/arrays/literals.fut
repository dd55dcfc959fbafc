-- ==
-- entry: flat
-- input { } output { [1, 2, 3] }
entry flat = [1i32, 2, 3]
-- ==
-- entry: nested
-- input { } output { [[1, 2], [3, 4]] 2i64 }
entry nested = ([[1i32, 2], [3, 4]], length [[1, 2], [3, 4]])
-- ==
-- entry: empty
-- input { } output { empty([0]f64) }
entry empty: []f64 = []
