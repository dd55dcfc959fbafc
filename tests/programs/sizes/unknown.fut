-- ==
-- entry: filtered
-- input { [1, -2, 3] } output { [1, 3] [2, 6] }
entry filtered (xs: []i32) =
  let ys = filter (> 0) xs
  in unzip (zip ys (map (* 2) ys))

-- ==
-- entry: coerced
-- input { [1, 2, 3] } output { [1, 2, 3] }
-- input { [1, 2] } error: Value of shape "\[2\]" cannot match shape of type "\[3\]i32"
entry coerced (xs: []i32) : [3]i32 = xs :> [3]i32

-- ==
-- entry: branch
-- input { true [1, 2] } output { [1, 2] }
-- input { false [1, 2] } output { [7] }
entry branch (b: bool) (xs: []i32) : []i32 = if b then xs else [7]

-- ==
-- entry: bound
-- input { [1, -2, 3] } output { 2i64 }
entry bound (xs: []i32) = let [n] (ys: [n]i32) = filter (> 0) xs in n + 0 * length ys

-- ==
-- entry: piped
-- input { [1, -2, 3] } output { 2i64 }
entry piped (xs: []i32) = xs |> filter (> 0) |> length

-- ==
-- entry: applied
-- input { [1, -2] } output { [1] }
def apply '^a '^b (f: a -> b) (x: a) : b = f x
entry applied (xs: []i32) : []i32 = apply (filter (> 0)) xs

-- ==
-- entry: hidden
-- input { 2i64 } output { [[0i64, 1i64], [0i64, 1i64]] }
def twice (n: i64) : ?[k].[k]i64 = iota n
entry hidden (n: i64) = let xs = twice n in [xs, xs]
