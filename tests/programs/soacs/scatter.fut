-- ==
-- entry: plain
-- input { [0, 0, 0, 0] [3i64, 0i64] [7, 8] } output { [8, 0, 0, 7] }
entry plain [n] (dest: *[]i32) (is: [n]i64) (vs: []i32) =
  scatter dest is (vs :> [n]i32)
-- ==
-- entry: out_of_bounds_ignored
-- input { [0, 0] } output { [5, 0] }
entry out_of_bounds_ignored (dest: *[]i32) = scatter dest [0, 2, -1] [5, 6, 7]
-- ==
-- entry: rows
-- input { } output { [[0, 0], [1, 2]] }
entry rows = scatter (replicate 2 (replicate 2 0)) [1] [[1, 2]]
