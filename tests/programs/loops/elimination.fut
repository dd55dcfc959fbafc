-- Loops in place whose rounds read what other rounds do not write: the row of the pivot, columns to
-- the left; and such that one round writes after all.

-- Elimination by elements, by rows, by parts of rows, and by rows from below: the same.
-- ==
-- entry: by_elements by_rows by_parts from_below
-- input { [[2i64, 4, -2], [3, 1, 5], [-1, 2, 7]] }
-- output { [[2i64, 4, -2], [0, -10, 16], [0, 0, -248]] }
-- input { [[5i64]] } output { [[5i64]] }
-- input { empty([0][0]i64) } output { empty([0][0]i64) }
-- input { [[1i64, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 7], [4, 5, 7, 9]] }
-- output { [[1i64, 2, 3, 4], [0, -1, -2, -3], [0, 0, 0, -1], [0, 0, 0, -1]] }
entry by_elements [n] (a: *[n][n]i64) : [n][n]i64 =
  loop a for k < n do
    let p = a[k, k]
    in loop a for i in k + 1..<n do
         let f = a[i, k]
         in loop a for j in k..<n do a with [i, j] = p * a[i, j] - f * a[k, j]

entry by_rows [n] (a: *[n][n]i64) : [n][n]i64 =
  loop a for k < n do
    loop a for i < n - k - 1 do
      let at = i + k + 1
      let row = map2 (\x y -> a[k, k] * x - a[at, k] * y) a[at] a[k]
      in a with [at] = row

entry by_parts [n] (a: *[n][n]i64) : [n][n]i64 =
  loop a for k < n do
    loop a for i in k + 1..<n do
      let part = map2 (\x y -> a[k, k] * x - a[i, k] * y) a[i, k:] a[k, k:]
      in a with [i, k:] = part

entry from_below [n] (a: *[n][n]i64) : [n][n]i64 =
  loop a for k < n do
    loop a for t < n - k - 1 do
      let i = n - 1 - t
      let f = a[i, k]
      in loop a for u < n - k do
           let j = n - 1 - u
           in a with [i, j] = a[k, k] * a[i, j] - f * a[k, j]

-- The factors of a matrix in its place (modulo a prime), and of a symmetric one.
-- ==
-- entry: factors
-- input { [[2i64, 4, 6], [3, 1, 5], [1, 2, 7]] }
-- output { [[2i64, 4, 6], [52, 96, 97], [51, 0, 4]] }
-- input { [[3i64]] } output { [[3i64]] }
def power (x: i64) (e: i64) : i64 = loop p = 1 for _i < e do p * x % 101

entry factors [n] (a: *[n][n]i64) : [n][n]i64 =
  loop a for k < n do
    let inverse = power a[k, k] 99
    let a = loop a for i in k + 1..<n do a with [i, k] = a[i, k] * inverse % 101
    in loop a for i in k + 1..<n do
         loop a for j in k + 1..<n do a with [i, j] = (a[i, j] - a[i, k] * a[k, j]) % 101

-- ==
-- entry: root
-- input { [[4f64, 2, 6], [2, 10, 9], [6, 9, 19]] }
-- output { [[2f64, 2, 6], [1, 3, 9], [3, 2, 2.449489742783178]] }
entry root [n] (a: *[n][n]f64) : [n][n]f64 =
  loop a for j < n do
    let d = f64.sqrt (a[j, j] - f64.sum (map (\x -> x * x) a[j, 0:j]))
    let a = a with [j, j] = d
    in loop a for i in j + 1..<n do
         let s = f64.sum (map2 (*) a[i, 0:j] a[j, 0:j])
         in a with [i, j] = (a[i, j] - s) / d

-- Each round reads what one of them writes: the shortest ways, with weights below zero (so that the
-- round for the way itself counts), and sums that begin with what the first round leaves.
-- ==
-- entry: ways
-- input { [[0i64, 5, 9], [2, -1, 3], [7, 1, -2]] }
-- output { [[0i64, 4, 5], [1, -2, -1], [0, -3, -4]] }
-- input { [[-1i64]] } output { [[-2i64]] }
entry ways [n] (d: *[n][n]i64) : [n][n]i64 =
  loop d for k < n do
    loop d for i < n do
      loop d for j < n do d with [i, j] = i64.min d[i, j] (d[i, k] + d[k, j])

-- ==
-- entry: from_first
-- input { 1i64 [5i64, 2, 3, 4] } output { [5i64, 4, 7, 8] [10i64, 2, 3, 4] [7i64, 2, 3, 4] }
-- input { 3i64 [5i64, 2, 3, 4] } output { [5i64, 2, 3, 8] [8i64, 5, 6, 4] [9i64, 6, 7, 4] }
-- input { 0i64 [5i64] } output { [10i64] [5i64] [5i64] }
-- input { 4i64 [5i64, 2, 3, 4] } error: out of bounds
entry from_first [n] (k: i64) (xs: [n]i64) : ([n]i64, [n]i64, [n]i64) =
  ( loop a = copy xs for i in k..<n do a with [i] = a[i] + a[k]
  , loop a = copy xs for i < k do a with [i] = a[i] + a[k - 1]
  , loop a = copy xs for i < k do a with [i] = a[k] + a[i])

-- A round reads what the round before wrote: sums in place, of whole numbers and of others, from
-- both ends; a recurrence of two; of the other rows' elements, too.
-- ==
-- entry: sums
-- input { [3i64, -1, 4, 1] } output { [3i64, 2, 6, 7] [7i64, 4, 5, 1] [3f64, 0.5, 4.25, 3.125] }
-- input { [5i64] } output { [5i64] [5i64] [5f64] }
-- input { empty([0]i64) } error: invalid
entry sums [n] (xs: [n]i64) : ([n]i64, [n]i64, [n]f64) =
  ( loop s = copy xs for i in 1..<n do s with [i] = s[i - 1] + s[i]
  , loop s = copy xs for t < n - 1 do let i = n - 2 - t in s with [i] = s[i] + s[i + 1]
  , loop s = map f64.i64 xs for i in 1..<n do s with [i] = s[i - 1] / 2 + s[i] )

-- ==
-- entry: recurrence
-- input { 10i64 } output { [0i64, 1, 1, 2, 3, 5, 8, 13, 21, 34] }
-- input { 2i64 } output { [0i64, 1] }
-- input { 1i64 } error: invalid
entry recurrence (n: i64) : [n]i64 =
  loop f = iota n for i in 2..<n do f with [i] = f[i - 1] + f[i - 2]

-- The distance between two texts, row by row, and the same in a table.
-- ==
-- entry: by_rows_of_a_table in_a_table
-- input { [1u8, 2, 3, 4] [2u8, 3, 5, 4, 1] } output { 3i32 }
-- input { empty([0]u8) [1u8, 2] } output { 2i32 }
-- input { [7u8] empty([0]u8) } output { 1i32 }
entry by_rows_of_a_table [n] [m] (a: [n]u8) (b: [m]u8) : i32 =
  last (loop row = map i32.i64 (iota (m + 1)) for i < n do
          loop new = replicate (m + 1) (i32.i64 i + 1) for j < m do
            new with [j + 1] = i32.min (i32.min (new[j] + 1) (row[j + 1] + 1))
                                       (row[j] + i32.bool (a[i] != b[j])))

entry in_a_table [n] [m] (a: [n]u8) (b: [m]u8) : i32 =
  let start = tabulate_2d (n + 1) (m + 1) (\i j -> i32.i64 (i + j))
  let table =
    loop d = start for i < n do
      loop d for j < m do
        d with [i + 1, j + 1] = i32.min (i32.min (d[i + 1, j] + 1) (d[i, j + 1] + 1))
                                        (d[i, j] + i32.bool (a[i] != b[j]))
  in table[n, m]

-- Of two arrays, each round reads what the round before wrote.
-- ==
-- entry: two_at_once
-- input { [3i64, 1, 4, 1] } output { [3i64, 4, 14, 35] [3i64, 6, 20, 55] }
-- input { [2i64] } output { [2i64] [2i64] }
entry two_at_once [n] (xs: [n]i64) : ([n]i64, [n]i64) =
  loop (a, b) = (copy xs, copy xs) for i in 1..<n do
    let next = a[i - 1] + b[i - 1] * i64.bool (i > 1) + a[i]
    in (a with [i] = next, b with [i] = b[i - 1] + next - i64.bool (i == 1))
