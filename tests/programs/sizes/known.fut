-- Sizes that are written alike are equal.
-- ==
-- entry: same
-- input { [1, 2] [3, 4] } output { [4, 6] }
entry same [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 (+) xs ys

-- ==
-- entry: joined
-- input { [1] [2, 3] } output { [1, 2, 3] }
entry joined [n] [m] (xs: [n]i32) (ys: [m]i32) : [n + m]i32 = xs ++ ys

-- ==
-- entry: ranged
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
entry ranged (n: i64) : [n]i64 = 0..<n

-- ==
-- entry: from
-- input { 1i64 4i64 } output { [1i64, 2i64, 3i64] }
entry from (a: i64) (b: i64) = (a..<b : [b - a]i64)

-- ==
-- entry: including
-- input { 3i64 } output { [1i64, 2i64, 3i64] }
entry including (n: i64) : [n - 1 + 1]i64 = 1...n

-- ==
-- entry: sliced
-- input { [1, 2, 3, 4] } output { [1, 2] [3, 4] [4, 3, 2, 1] }
entry sliced (xs: [4]i32) : ([2]i32, [4 - 2]i32, [4]i32) = (xs[:2], xs[2:], xs[::-1])

-- ==
-- entry: text
-- input { } output { 4i64 }
entry text = length ("four" : [4]u8)
