-- Loops whose rounds need nothing of each other, as they are written in other languages: each gives
-- what it gives one round after the other.

-- ==
-- entry: triad
-- input { 3i64 [1i64, 2, 3] [10i64, 20, 30] } output { [31i64, 62, 93] }
-- input { 3i64 empty([0]i64) empty([0]i64) } output { empty([0]i64) }
entry triad [n] (a: i64) (xs: [n]i64) (ys: [n]i64) : [n]i64 =
  loop out = replicate n 0 for i < n do out with [i] = xs[i] + a * ys[i]

-- ==
-- entry: in_place
-- input { [1i64, 2, 3, 4] } output { [0i64, 4, 12, 24] }
entry in_place [n] (xs: *[n]i64) : [n]i64 =
  loop xs for i < n do xs with [i] = xs[i] * (xs[i] + i) - xs[i]

-- ==
-- entry: backwards
-- input { [1i64, 2, 3, 4] } output { [4i64, 3, 2, 1] }
entry backwards [n] (xs: [n]i64) : [n]i64 =
  loop out = copy xs for i < n do out with [n - 1 - i] = xs[i]

-- ==
-- entry: stencil
-- input { [[1i64, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]] }
-- output { [[1i64, 2, 3, 4], [5, 24, 28, 8], [9, 10, 11, 12]] }
-- input { [[1i64], [2]] } output { [[1i64], [2]] }
entry stencil [n] [m] (a: [n][m]i64) : [n][m]i64 =
  loop out = copy a for i in 1..<i64.max 1 (n - 1) do
    loop out for j in 1..<i64.max 1 (m - 1) do
      out with [i, j] = a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]

-- The one before has been written already: rounds depend on each other.
-- ==
-- entry: carried
-- input { [1i64, 2, 3, 4] } output { [1i64, 3, 6, 10] }
entry carried [n] (xs: *[n]i64) : [n]i64 =
  loop xs for i in 1..<n do xs with [i] = xs[i] + xs[i-1]

-- ==
-- entry: product
-- input { [[1f32, 2], [3, 4], [5, 6]] [[7f32, 8, 9], [10, 11, 12]] }
-- output { [[27f32, 30, 33], [61, 68, 75], [95, 106, 117]]
--          [[27f32, 30, 33], [61, 68, 75], [95, 106, 117]] }
entry product [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : ([n][p]f32, [n][p]f32) =
  let by_number =
    loop c = replicate n (replicate p 0) for i < n do
      loop c for j < p do
        c with [i, j] = loop s = 0 for k < m do s + a[i, k] * b[k, j]
  let by_element =
    loop c = replicate n (replicate p 0) for i < n do
      loop c for j < p do
        loop c for k < m do
          c with [i, j] = c[i, j] + a[i, k] * b[k, j]
  in (by_number, by_element)

-- ==
-- entry: bins
-- input { 4i64 [1i64, 5, 2, 3, 9, 1] } output { [0i32, 4, 1, 1] }
-- input { 0i64 empty([0]i64) } output { empty([0]i32) }
-- input { 0i64 [1i64] } error: division by zero
entry bins [n] (k: i64) (xs: [n]i64) : [k]i32 =
  loop h = replicate k 0 for i < n do
    let b = xs[i] % k
    in h with [b] = h[b] + 1

-- ==
-- entry: folds
-- input { [3i64, -7, 12, 0] } output { 8i64 12i64 15i64 2i64 true }
-- input { empty([0]i64) } output { 0i64 -1i64 0i64 0i64 false }
entry folds [n] (xs: [n]i64) : (i64, i64, i64, i64, bool) =
  loop (sum, greatest, some, count, any) = (0, -1, 0, 0, false) for i < n do
    let x = xs[i]
    in ( sum + x, i64.max x greatest, if x > 0 then some + x else some
       , if x > 0 then 1 + count else count, any || x == 12)

-- The last of those that write one place stays.
-- ==
-- entry: places
-- input { [1i64, 0, 1, 2] [10i64, 20, 30, 40] } output { [20i64, 30, 40, -1] }
-- input { [1i64, 4] [10i64, 20] } error: out of bounds
entry places [n] (at: [n]i64) (xs: [n]i64) : [4]i64 =
  loop out = replicate 4 (-1) for i < n do out with [at[i]] = xs[i]

-- ==
-- entry: columns
-- input { [[1i64, 2, 3], [4, 5, 6]] } output { [[2i64, 2, 2], [5, 5, 5]] }
entry columns [n] [m] (a: [n][m]i64) : [n][m]i64 =
  loop out = copy a for j < m do
    loop out for i < n do out with [i, j] = a[i, 1]

-- The first round that goes wrong is told.
-- ==
-- entry: wrong
-- input { [3i64, 2, 0, 1] } error: division by zero
-- input { [3i64, 2, 9, 0] } error: out of bounds
entry wrong [n] (xs: [n]i64) : ([n]i64, i64) =
  loop (out, sum) = (replicate n 0, 0) for i < n do
    let x = xs[i]
    in (out with [i] = 100 / x + xs[x % 10 - x / 9], sum + x)

-- What a round does not write stays.
-- ==
-- entry: some
-- input { [3i64, -1, 4, -5] } output { [9i64, 7, 16, 7] }
entry some [n] (xs: [n]i64) : [n]i64 =
  loop out = replicate n 7 for i < n do if xs[i] > 0 then out with [i] = xs[i] * xs[i] else out

-- Rounds are numbered in fewer bits, or without a sign.
-- ==
-- entry: narrow
-- input { [3i64, -1, 4] } output { [6i64, -2, 8] 9i32 3u8 }
-- input { empty([0]i64) } output { empty([0]i64) 0i32 0u8 }
entry narrow [n] (xs: [n]i64) : ([n]i64, i32, u8) =
  ( loop out = replicate n 0 for i < i32.i64 n do out with [i64.i32 i] = 2 * xs[i64.i32 i]
  , loop s = 0 for i < i32.i64 n do s + 3 * (i - i / 5 * 5)
  , loop s = 0 for _i < u8.i64 n do s + 1)

-- What some rounds alone change: bins, places and numbers, by one choice.
-- ==
-- entry: chosen
-- input { 3i64 [4i64, -1, 2, 7, 0, -6] }
-- output { [1i64, 2, 1] [0i64, 9, 0] 13i64 6i64 [6i64, 1, -1] }
-- input { 0i64 [-4i64] } output { empty([0]i64) empty([0]i64) 0i64 -4i64 [-1i64, 4, -1] }
-- input { 0i64 [4i64] } error: division by zero
-- input { 3i64 [-9i64] } error: out of bounds
entry chosen [n] (k: i64) (xs: [n]i64) : ([k]i64, [k]i64, i64, i64, [3]i64) =
  let (counts, sums, total) =
    loop (counts, sums, total) = (replicate k 0, replicate k 0, 0) for i < n do
      let x = xs[i]
      in if x >= 0
         then let b = x % k
              in ( counts with [b] = counts[b] + 1
                 , sums with [b] = sums[b] + (x - b)
                 , total + x)
         else (counts, sums, total)
  let (product, places) =
    loop (product, places) = (1, replicate 3 (-1)) for x in xs do
      if x >= 0 then (product, places)
      else (product * x, places with [-x % 3 + 3 * i64.bool (x < -7)] = -x)
  in (counts, sums, total, product, places)
