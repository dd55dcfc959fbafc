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

-- | Rounds that write both of their places, the second by what the first has become, or none.
entry in_some_rounds [n] (xs: [n]i64) : [n][2]i64 =
  loop a = replicate n [7, 8] for i < n do
    if xs[i] > 0 then
      let a = a with [i, 0] = xs[i] * a[i, 1]
      in a with [i, 1] = a[i, 0] + 1
    else a

-- ==
-- entry: in_some_rounds
-- input { [3i64, -1i64, 0i64, 2i64] }
-- output { [[24i64, 25i64], [7i64, 8i64], [7i64, 8i64], [16i64, 17i64]] }
-- input { empty([0]i64) } output { empty([0][2]i64) }

-- | What lies between the places may not be there behind the last ones.
entry with_a_short_end [k] (m: i64) (xs: *[k]i64) : [k]i64 =
  #[parallel] loop xs for i < m do
    let xs = xs with [4 * i] = xs[4 * i] + 1
    in xs with [4 * i + 2] = xs[4 * i] * 10

-- ==
-- entry: with_a_short_end
-- input { 2i64 [1i64, 2, 3, 4, 5, 6, 7] } output { [2i64, 2, 20, 4, 6, 6, 60] }
-- input { 2i64 [1i64, 2, 3, 4, 5, 6, 7, 8, 9] } output { [2i64, 2, 20, 4, 6, 6, 60, 8, 9] }
-- input { 0i64 empty([0]i64) } output { empty([0]i64) }
-- input { -1i64 [3i64] } output { [3i64] }
-- input { 2i64 [1i64, 2, 3, 4, 5, 6] } error: Index \[6\] out of bounds

-- | Places that the branch may share with other rounds' keep their order.
entry in_some_rounds_that_meet [n] (xs: [n]i64) : [n + 1]i64 =
  loop a = replicate (n + 1) 1 for i < n do
    if xs[i] > 0 then
      let a = a with [i] = a[i] + xs[i]
      in a with [i + 1] = a[i] * 2
    else a

-- ==
-- entry: in_some_rounds_that_meet
-- input { [3i64, 5, -1, 2] } output { [4i64, 13, 26, 3, 6] }
