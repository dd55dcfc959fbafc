-- Loops whose rounds write several places of one array: side by side, or in short rows.

entry pairs (n: i64) (length: i64) : []i64 =
  loop a = replicate length (-1) for i < n do
    let a = a with [2 * i] = i * i
    in a with [2 * i + 1] = a[2 * i] - i

-- ==
-- entry: pairs
-- input { 3i64 6i64 } output { [0i64, 0i64, 1i64, 0i64, 4i64, 2i64] }
-- input { 2i64 6i64 } output { [0i64, 0i64, 1i64, 0i64, -1i64, -1i64] }
-- input { 1i64 2i64 } output { [0i64, 0i64] }
-- input { 0i64 1i64 } output { [-1i64] }
-- input { -3i64 1i64 } output { [-1i64] }
-- input { 1i64 1i64 } error: Index \[1\] out of bounds
-- input { 2i64 2i64 } error: Index \[2\] out of bounds

-- | With a place between that stays, read on the way; the last of two writes wins.
entry with_gaps [n] (xs: [n]i64) : [4 * n]i64 =
  loop a = iota (4 * n) for i < n do
    let a = a with [4 * i + 1] = xs[i]
    let a = a with [4 * i + 3] = a[4 * i + 2] + a[4 * i + 1]
    in a with [4 * i + 1] = a[4 * i + 3] * 2

-- ==
-- entry: with_gaps
-- input { [10i64, 20i64] } output { [0i64, 24i64, 2i64, 12i64, 4i64, 52i64, 6i64, 26i64] }
-- input { empty([0]i64) } output { empty([0]i64) }

entry rows [n] (xs: [n]i64) : [n][3]i64 =
  loop a = replicate n [7, 8, 9] for i < n do
    let a = a with [i, 0] = xs[i]
    in a with [i, 2] = a[i, 0] + a[i, 1] + a[i, 2]

-- ==
-- entry: rows
-- input { [1i64, 2i64] } output { [[1i64, 8i64, 18i64], [2i64, 8i64, 19i64]] }
-- input { empty([0]i64) } output { empty([0][3]i64) }

-- | Windows that meet, and reads of what another round writes, keep the order of their rounds.
entry that_meet (n: i64) : []i64 =
  loop a = replicate (n + 1) 0 for i < n do
    let a = a with [i] = a[i] + 1
    in a with [i + 1] = i * 10

entry of_others [n] (xs: [n]i64) : [2 * n]i64 =
  loop a = replicate (2 * n) 1 for i < n do
    let a = a with [2 * i] = a[i] + xs[i]
    in a with [2 * i + 1] = a[i]

-- ==
-- entry: that_meet
-- input { 3i64 } output { [1i64, 1i64, 11i64, 20i64] }

-- ==
-- entry: of_others
-- input { [1i64, 2i64, 3i64] } output { [2i64, 2i64, 4i64, 2i64, 7i64, 4i64] }
