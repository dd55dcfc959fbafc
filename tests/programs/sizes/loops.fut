-- ==
-- entry: kept
-- input { [1, 2] } output { [4, 5] }
entry kept [n] (xs: [n]i32) : [n]i32 = loop ys = xs for _i < 3 do map (+ 1) ys

-- ==
-- entry: grown
-- input { [1] } output { [1, 1, 1, 1] }
entry grown (xs: []i32) = loop ys = xs for _i < 2 do ys ++ ys

-- ==
-- entry: swapped
-- input { [1] [2] } output { [2] [1] }
entry swapped [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32) =
  loop (a, b) = (xs, ys) for _i < 3 do (b, a)

-- ==
-- entry: named
-- input { [1, 2, 3] } output { 0i64 }
entry named (xs: []i32) = length (loop [n] (ys: [n]i32) = xs while n > 0 do tail ys)
