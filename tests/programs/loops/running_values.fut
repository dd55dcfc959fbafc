-- Loops whose rounds read what the rounds before have come to, or found: compiled, they are scans and
-- reductions, with the loop's bits.

-- | Of equals the first; what is not a number is better than nothing.
entry first_greatest [n] (start: f32) (xs: [n]f32) : (f32, i64) =
  loop (best, at) = (start, -1) for i < n do
    if xs[i] > best then (xs[i], i) else (best, at)

-- ==
-- entry: first_greatest
-- input { -f32.inf [3f32, f32.nan, 7f32, -1f32, 7f32] } output { 7f32 2i64 }
-- input { -f32.inf [f32.nan, f32.nan] } output { -f32.inf -1i64 }
-- input { -f32.inf [-f32.inf] } output { -f32.inf -1i64 }
-- input { 7f32 [3f32, 7f32, 6f32] } output { 7f32 -1i64 }
-- input { f32.nan [3f32, f32.inf] } output { f32.nan -1i64 }
-- input { -1f32 [-0f32, 0f32] } output { -0f32 0i64 }
-- input { 0f32 empty([0]f32) } output { 0f32 -1i64 }

entry first_least [n] (xs: [n]i32) : (i32, i64) =
  loop (best, at) = (xs[0], 0) for i < n do
    if best > xs[i] then (xs[i], i) else (best, at)

-- ==
-- entry: first_least
-- input { [3, 1, 2, 1] } output { 1 1i64 }
-- input { [5, 5] } output { 5 0i64 }
-- input { empty([0]i32) } error: Index \[0\] out of bounds

entry prefixes [n] (xs: [n]i32) : [n]i32 =
  (loop (out, sum) = (replicate n 0, 0) for i < n do
     let sum = sum + xs[i] in (out with [i] = sum, sum)).0

-- | With what was there before each, the wrong way round, and the total.
entry before_each [n] (start: i32) (xs: [n]i32) : ([n]i32, i32) =
  loop (out, sum) = (replicate n 0, start) for i < n do
    (out with [n - 1 - i] = sum, sum + xs[i])

-- ==
-- entry: prefixes
-- input { [1, 2, 3, 4] } output { [1, 3, 6, 10] }
-- input { [2147483647, 1, -1] } output { [2147483647, -2147483648, 2147483647] }
-- input { empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: before_each
-- input { 5 [1, 2, 3] } output { [8, 6, 5] 11 }
-- input { 5 empty([0]i32) } output { empty([0]i32) 5 }

-- | Sums of floats keep the order of their rounds.
entry float_prefixes [n] (xs: [n]f32) : [n]f32 =
  (loop (out, sum) = (replicate n 0, 0) for i < n do
     let sum = sum + xs[i] in (out with [i] = sum, sum)).0

-- ==
-- entry: float_prefixes
-- input { [16777216f32, 1f32, 1f32, -16777216f32] } output { [16777216f32, 16777216f32, 16777216f32, 0f32] }

-- | What else happens where something better comes needs what has been best until then.
entry with_another [n] (xs: [n]f32) (ys: [n]f32) : (f32, i64, f32) =
  loop (best, at, other) = (-f32.inf, -1, 0) for i < n do
    if xs[i] > best then (xs[i], i, ys[i]) else (best, at, other)

entry records [n] (xs: [n]i32) : (i32, i32) =
  loop (best, records) = (0, 0) for i < n do
    if xs[i] > best then (xs[i], records + 1) else (best, records)

entry where_better [n] (xs: [n]i32) : (i32, [n]bool) =
  loop (best, out) = (0, replicate n false) for i < n do
    let is_better = xs[i] > best
    in (if is_better then xs[i] else best, out with [i] = is_better)

-- ==
-- entry: with_another
-- input { [1f32, 5f32, 3f32] [10f32, 20f32, 30f32] } output { 5f32 1i64 20f32 }

-- ==
-- entry: records
-- input { [1, 5, 3, 7, 7] } output { 7 3 }

-- ==
-- entry: where_better
-- input { [1, 5, 3, 7, 7] } output { 7 [true, true, false, true, false] }

-- | Of equals the last; the beginning comes before all.
entry last_greatest [n] (start: f32) (xs: [n]f32) : (f32, i64) =
  loop (best, at) = (start, -1) for i < n do
    if xs[i] >= best then (xs[i], i) else (best, at)

-- ==
-- entry: last_greatest
-- input { -f32.inf [3f32, f32.nan, 7f32, -1f32, 7f32, 6f32] } output { 7f32 4i64 }
-- input { -f32.inf [f32.nan, f32.nan] } output { -f32.inf -1i64 }
-- input { -f32.inf [-f32.inf, f32.nan] } output { -f32.inf 0i64 }
-- input { 7f32 [3f32, 7f32, 6f32] } output { 7f32 1i64 }
-- input { 8f32 [3f32, 7f32] } output { 8f32 -1i64 }
-- input { f32.nan [3f32, f32.inf] } output { f32.nan -1i64 }
-- input { -1f32 [0f32, -0f32] } output { -0f32 1i64 }
-- input { 0f32 empty([0]f32) } output { 0f32 -1i64 }

-- | Where the better one is what stays, numbers of any kind are in one of the two orders, floats are
-- not if one is no number.
entry last_least [n] (start: i32) (xs: [n]i32) : (i32, i64) =
  loop (best, at) = (start, -1) for i < n do
    if best < xs[i] then (best, at) else (xs[i], i)

entry last_least_or_none [n] (start: f32) (xs: [n]f32) : (f32, i64) =
  loop (best, at) = (start, -1) for i < n do
    if best < xs[i] then (best, at) else (xs[i], i)

-- ==
-- entry: last_least
-- input { 9 [3, 1, 2, 1] } output { 1 3i64 }
-- input { -2147483648 [-2147483648, 5] } output { -2147483648 0i64 }
-- input { 2147483647 [2147483647] } output { 2147483647 0i64 }
-- input { 0 empty([0]i32) } output { 0 -1i64 }

-- ==
-- entry: last_least_or_none
-- input { 9f32 [3f32, f32.nan, 7f32] } output { 7f32 2i64 }
-- input { 9f32 [3f32, 1f32, 1f32] } output { 1f32 2i64 }

-- | What goes with the best is read and computed where that is.
entry with_all_of_it [n] (xs: [n]i32) (ys: [n]f32) (name: u8) : (i32, f32, u8, i64, bool) =
  loop (best, other, from, twice, is_any) = (-1000, 0.5, 0, -2, false) for i < n do
    if xs[i] >= best then (xs[i], ys[i], name, 2 * i + 1, true)
    else (best, other, from, twice, is_any)

-- ==
-- entry: with_all_of_it
-- input { [1, 5, 3, 5] [10f32, 20f32, 30f32, 40f32] 7u8 } output { 5 40f32 7u8 7i64 true }
-- input { [-1001] [10f32] 7u8 } output { -1000 0.5f32 0u8 -2i64 false }
-- input { empty([0]i32) empty([0]f32) 7u8 } output { -1000 0.5f32 0u8 -2i64 false }

-- | The divisions of rounds that are not the best fail all the same.
entry with_a_quotient [n] (xs: [n]i32) (ys: [n]i32) : (i32, i32) =
  loop (best, other) = (0, 0) for i < n do
    let quotient = 100 / ys[i]
    in if xs[i] > best then (xs[i], quotient) else (best, other)

-- ==
-- entry: with_a_quotient
-- input { [1, 5, 3] [1, 2, 4] } output { 5 50 }
-- input { [1, 5, 3] [1, 2, 0] } error: ivision by zero
