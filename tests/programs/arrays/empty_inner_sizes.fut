-- An array without rows still knows how long its rows are.
-- ==
-- entry: mapped
-- input { empty([0]i64) 3i64 } output { empty([0][3]i64) 0i64 }
entry mapped (xs: []i64) (n: i64) =
  let rows = map (\x -> map (+ x) (iota n)) xs
  in (rows, length rows)
-- ==
-- entry: transposed
-- input { empty([0][2]i32) } output { empty([2][0]i32) }
entry transposed (xss: [][2]i32) = transpose xss
-- ==
-- entry: sliced
-- input { [[1, 2, 3]] } output { empty([0][3]i32) }
entry sliced (xss: [][]i32) = xss[1:]
-- ==
-- entry: replicated
-- input { 0i64 4i64 } output { empty([0][4]f32) }
entry replicated (n: i64) (m: i64) = replicate n (replicate m 0f32)
