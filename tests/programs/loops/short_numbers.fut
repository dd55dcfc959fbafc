-- Indices that are counted in 32 bits: the same as those in 64, also where they do wrap around.

-- Neighbours, by conditions and by bounds; pairs of indices; a loop in place; a range.
-- ==
-- entry: neighbours bounded
-- input { [1i64, 2, 4, 8] } output { [4i64, 7, 14, 20] }
-- input { [5i64] } output { [15i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry neighbours [n] (xs: [n]i64) : [n]i64 =
  let h = i32.i64 n
  let at (i: i32) = xs[if i < 0 then 0 else if i > h - 1 then h - 1 else i]
  in tabulate n (\i -> let i = i32.i64 i in at (i - 1) + at i + at (i + 1))

entry bounded [n] (xs: [n]i64) : [n]i64 =
  let last = i32.i64 n - 1
  in map (\i -> xs[i32.max 0 (i - 1)] + xs[i] + xs[i32.min last (i + 1)]) (map i32.i64 (iota n))

-- ==
-- entry: in_place
-- input { [3i64, 1, 2] } output { [3i64, 1, 2] [6i64, 2, 4] 11i64 }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) 0i64 }
entry in_place [n] (xs: [n]i64) : ([n]i64, [n]i64, i64) =
  ( loop ys = replicate n 0 for i < i32.i64 n do ys with [i] = xs[i]
  , loop ys = replicate n 0 for i < i32.i64 n do ys with [i32.i64 n - 1 - i] = 2 * xs[i32.i64 n - 1 - i]
  , loop s = 0 for i in 0i32..1..<i32.i64 n do s + xs[i] * i64.i32 (i + 1))

-- Segments by their offsets, element by element: out of bounds, if they are.
-- ==
-- entry: segments
-- input { [0i32, 2, 2, 5] [1i64, 10, 100, 1000, 10000] } output { [11i64, 0, 11100] [11i64, 0, 11100] }
-- input { [5i32, 5] [1i64, 10, 100, 1000, 10000] } output { [0i64] [0i64] }
-- input { [9i32, 9] [1i64, 10] } output { [0i64] [0i64] }
-- input { [1i32, 3] [1i64, 10] } error: out of bounds
-- input { [-1i32, 1] [1i64, 10] } error: out of bounds
-- input { [3i32, 1] [1i64, 10] } error: invalid
entry segments [n] [k] (offsets: [n]i32) (values: [k]i64) : ([]i64, []i64) =
  let starts = init offsets
  let ends = tail offsets :> [n - 1]i32
  in ( map2 (\b e -> i64.sum (map (\i -> values[i]) (b..<e))) (starts :> [n - 1]i32) ends
     , tabulate (n - 1) (\i ->
         let b = i64.i32 offsets[i]
         in i64.sum (tabulate (i64.i32 offsets[i + 1] - b) (\j -> values[b + j]))) )

-- As many rounds as n has in 32 bits, and elements at what is left of a number there.
-- ==
-- entry: wraps
-- input { 2147483651i64 [7i64] } output { 0i64 [7i64] }
-- input { 1i64 [7i64] } output { 7i64 [7i64] }
-- input { 4294967297i64 [7i64] } output { 7i64 [7i64] }
-- input { 3i64 [7i64] } error: out of bounds
entry wraps [m] (n: i64) (xs: [m]i64) : (i64, [m]i64) =
  ( loop s = 0 for i < i32.i64 n do s + xs[i]
  , map (\i -> xs[i32.i64 n - i32.i64 n + i32.i64 i]) (iota m) )
