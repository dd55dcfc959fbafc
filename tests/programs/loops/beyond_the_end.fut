-- Loops whose rounds write elements of their own, some of which are not there.

entry from_the_first (rounds: i64) (length: i64) : []i64 =
  loop a = replicate length (-1) for i < rounds do a with [i] = i * i

-- ==
-- entry: from_the_first
-- input { 3i64 5i64 } output { [0i64, 1i64, 4i64, -1i64, -1i64] }
-- input { 0i64 0i64 } output { empty([0]i64) }
-- input { 5i64 3i64 } error: Index \[3\] out of bounds
-- input { 100000i64 3i64 } error: Index \[3\] out of bounds
-- input { 1i64 0i64 } error: Index \[0\] out of bounds

entry from_the_second (rounds: i64) (length: i64) : []i64 =
  loop a = replicate length (-1) for i < rounds do a with [i + 1] = i * i

-- ==
-- entry: from_the_second
-- input { 2i64 3i64 } output { [-1i64, 0i64, 1i64] }
-- input { 3i64 3i64 } error: Index \[3\] out of bounds

entry backwards (rounds: i64) (length: i64) : []i64 =
  loop a = replicate length (-1) for i < rounds do a with [length - 1 - i] = i

-- ==
-- entry: backwards
-- input { 2i64 3i64 } output { [-1i64, 1i64, 0i64] }
-- input { 4i64 3i64 } error: Index \[-1\] out of bounds

entry columns (rounds: i64) (length: i64) : [][]i64 =
  loop a = replicate 2 (replicate length (-1)) for i < rounds do a with [1, i] = i

-- ==
-- entry: columns
-- input { 2i64 2i64 } output { [[-1i64, -1i64], [0i64, 1i64]] }
-- input { 3i64 2i64 } error: Index \[1, 2\] out of bounds
