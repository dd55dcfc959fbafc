-- ==
-- input { [0i64, 1i64, 0i64] } output { [2, 1] }
entry main (is: []i64) = reduce_by_index (replicate 2 0i32) (+) 0 is (map (const 1) is)
