-- ==
-- entry: counts
-- input { [0i64, 2i64, 2i64, 5i64, -1i64] } output { [1, 0, 2] }
entry counts (is: []i64) = hist (+) 0 3 is (map (const 1) is)
-- ==
-- entry: onto
-- input { [10, 20] [0i64, 0i64, 1i64] [1, 2, 3] } output { [13, 23] }
entry onto [n] (dest: *[]i32) (is: [n]i64) (xs: []i32) = reduce_by_index dest (+) 0 is (xs :> [n]i32)
-- ==
-- entry: pairs
-- input { } output { [6, 0] [5, 4] }
entry pairs =
  unzip (hist (\(a, b) (c, d) -> (a + c, i32.max b d)) (0, i32.lowest) 1 [0, 0, 0] [(1, 2), (2, 5), (3, 4)]
         ++ [(0, 4)])
