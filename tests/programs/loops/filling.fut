-- Elements that are kept are written one behind the other: by a counter that needs no check, and by
-- ones that do.

-- ==
-- entry: kept
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 70i64 } output { true }
-- input { 100000i64 } output { true }
entry kept (n: i64) : bool =
  let xs = map (\i -> (i * 7919) % 1009) (iota n)
  let (out, count) =
    loop (out, count) = (replicate n 0, 0i64) for x in xs do
      if x < 500 then (out with [count] = x, count + 1) else (out, count)
  let (short, short_count) =
    loop (out, count) = (replicate n 0, 0i32) for i < i32.i64 n do
      if xs[i] < 500 then (out with [count] = xs[i], count + 1) else (out, count)
  let [m] (wanted: [m]i64) = filter (< 500) xs
  in count == m && and (map2 (==) (out[:count] :> [m]i64) wanted)
     && and (map (== 0) out[count:])
     && i64.i32 short_count == count && and (map2 (==) short out)

-- Two for each one that is kept; room for fewer; a counter that goes on from another one.
-- ==
-- entry: twice
-- input { [1i64, -2, 3] } output { [1i64, 1, 3, 3, 0, 0] 4i64 }
-- input { empty([0]i64) } output { empty([0]i64) 0i64 }
entry twice [n] (xs: [n]i64) : ([]i64, i64) =
  loop (out, c) = (replicate (2 * n) 0, 0) for x in xs do
    if x > 0 then (out with [c] = x with [c + 1] = x, c + 2) else (out, c)

-- ==
-- entry: room
-- input { [1i64, -2, 3] 2i64 } output { [1i64, 3] }
-- input { [1i64, 2, 3] 2i64 } error: out of bounds
-- input { [-1i64] 0i64 } output { empty([0]i64) }
entry room [n] (xs: [n]i64) (m: i64) : []i64 =
  (loop (out, c) = (replicate m 0, 0) for x in xs do
     if x > 0 then (out with [c] = x, c + 1) else (out, c)).0

-- ==
-- entry: parted
-- input { [1i64, -2, 3, -4, -5] } output { [1i64, 3, -2, -4, -5] }
entry parted [n] (xs: [n]i64) : [n]i64 =
  let (out, c) =
    loop (out, c) = (replicate n 0, 0) for x in xs do
      if x > 0 then (out with [c] = x, c + 1) else (out, c)
  in (loop (out, c) for x in xs do if x > 0 then (out, c) else (out with [c] = x, c + 1)).0

-- | Many, from both places on; and one too many, which is said by whom it was written.
-- ==
-- entry: parted_many
-- input { 0i64 0i64 } output { true }
-- input { 1000i64 0i64 } output { true }
-- input { 100000i64 0i64 } output { true }
-- input { 1000i64 1i64 } error: out of bounds
-- input { 100000i64 1i64 } error: out of bounds
entry parted_many (n: i64) (more: i64) : bool =
  let xs = map (\i -> (i * 7919) % 1009) (iota n)
  let (out, c) =
    loop (out, c) = (replicate n 0, 0) for x in xs do
      if x < 500 then (out with [c] = x, c + 1) else (out, c)
  let (out, _) =
    loop (out, c) = (out, c + more) for x in xs do
      if x < 500 then (out, c) else (out with [c] = x, c + 1)
  let (few, many) = partition (< 500) xs
  in and (map2 (==) (out :> [n]i64) (few ++ many :> [n]i64))
