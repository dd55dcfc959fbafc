-- ==
-- input { 1 } output { 1 2.0 [3, 4] }
entry main (x: i32) = (x, 2f64, [3i32, 4])
