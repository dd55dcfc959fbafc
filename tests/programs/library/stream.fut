-- `import "sinter/stream"`: functions for which any cut gives the same.

import "sinter/stream"

-- Rows of numbers, each with its first and its last element added.
def ends [k] (m: i64) (rows: [k][m]i32) : [k]i32 = map (\row -> row[0] + row[m - 1]) rows

-- ==
-- entry: of_rows
-- input { [[1, 2, 3], [4, 5, 6]] } output { [4, 10] }
-- input { empty([0][3]i32) } output { empty([0]i32) }
entry of_rows [n] [m] (rows: [n][m]i32) : [n]i32 = map_stream (\k (xs: [k][m]i32) -> ends m xs) rows

-- The largest element, with the first place in the array that has it.
-- ==
-- entry: largest
-- input { [3, 9, 2, 9, 1] } output { 9 1i64 }
-- input { [5] } output { 5 0i64 }
entry largest [n] (xs: [n]i32) : (i32, i64) =
  let better (a: i32, i: i64) (b: i32, j: i64) =
    if a > b || (a == b && i < j) then (a, i) else (b, j)
  let pairs = zip xs (iota n)
  in reduce_stream better
                   (\k (ps: [k](i32, i64)) -> reduce better (i32.lowest, i64.highest) ps)
                   pairs

-- Balanced brackets by a state: what is open, and whether ever one was closed too much.
-- ==
-- entry: balanced
-- input { [1, 1, -1, 1, -1, -1] } output { true }
-- input { [1, -1, -1, 1] } output { false }
-- input { [1, 1] } output { false }
-- input { empty([0]i32) } output { true }
entry balanced (xs: []i32) : bool =
  let (depth, fine) =
    fold_stream (\k (depth: i32, fine: bool) (xs: [k]i32) ->
                   let depths = scan (+) 0 xs
                   let lowest = i32.minimum depths
                   in (depth + i32.sum xs, fine && (k == 0 || depth + lowest >= 0)))
                (0, true) xs
  in fine && depth == 0

-- A linear congruential generator that each chunk enters by a power of its step: the user's cheaper
-- recurrence inside of a chunk, as in Sobol sequences.
def multiplier : u64 = 6364136223846793005
def increment : u64 = 1442695040888963407

def after (steps: i64) (x: u64) : u64 =
  let (_, a, c, _, _) =
    loop (n, a, c, m, d) = (steps, 1u64, 0u64, multiplier, increment) while n > 0 do
      let (a, c) = if n % 2 == 1 then (a * m, c * m + d) else (a, c)
      in (n / 2, a, c, m * m, d * m + d)
  in a * x + c

-- ==
-- entry: random
-- input { 1i64 } output { true }
-- input { 1000i64 } output { true }
entry random (n: i64) : bool =
  let by_chunks =
    map_stream (\k (places: [k]i64) ->
                  let first = if k == 0 then 0 else after places[0] 1
                  let (_, xs) =
                    loop (x, xs) = (first, replicate k 0u64) for i < k do
                      (x * multiplier + increment, xs with [i] = x)
                  in xs)
               (iota n)
  in and (map2 (\i x -> after i 1 == x) (iota n) by_chunks)
