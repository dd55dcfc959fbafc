-- Arrays that a branch exchanges: each is read before it is overwritten.

def steps (n: i64) (s: i32) =
  loop (x: [3]i32, y: [3]i32) = (replicate 3 0, replicate 3 s) for i < n do
    if i % 3 == 1 then (y, x) else (map (+ i32.i64 i) x, map (+ 2) y)

-- ==
-- entry: alone
-- input { 8i64 5 } output { [16, 16, 16] [15, 15, 15] }
entry alone (n: i64) (s: i32) = steps n s

-- ==
-- entry: by_row
-- input { 8i64 } output { [11, 12] [15, 15] }
entry by_row (n: i64) = unzip (tabulate 2 (\i -> let (x, y) = steps n (i32.i64 i) in (x[0], y[2])))

-- ==
-- entry: folded
-- unlawful input { 9i64 } output { [-13, -2] [18, 41] }
entry folded (n: i64) =
  reduce (\(x: [2]i32, y: [2]i32) (u: [2]i32, v: [2]i32) ->
            if u[0] % 3 == 1 then (y, x) else (map2 (-) x u, map2 (-) v y))
         (replicate 2 0, replicate 2 1)
         (zip (tabulate n (\i -> [i32.i64 i, 7])) (tabulate n (\i -> [i32.i64 i, 20])))
