-- Values that do not matter are not computed: their expressions need not succeed.
-- ==
-- entry: filler
-- input { empty([0]i32) 3i64 } output { 3i64 }
-- input { [1, 2] 3i64 } output { 3i64 }

entry filler [n] (xs: [n]i32) (m: i64) : i64 = length (replicate m (#[blank] xs[0]))

-- ==
-- entry: filled
-- input { [1, 2, 3] } output { [3, 2, 1] }
-- input { empty([0]i32) } output { empty([0]i32) }

entry filled [n] (xs: [n]i32) : [n]i32 =
  let space = #[blank] map (\x -> x / 0) xs
  in scatter space (map (\i -> n - 1 - i) (iota n)) xs

-- ==
-- entry: rows
-- input { 2i64 3i64 } output { [[7, 7, 7], [7, 7, 7]] }
-- input { 0i64 3i64 } output { empty([0][3]i32) }

entry rows (n: i64) (m: i64) : [n][m]i32 =
  let space = #[scratch] (assert false (replicate n (replicate m 0)))
  in map (map (const 7)) space

-- ==
-- entry: parts
-- input { 4i64 } output { 4i64 true }

type shape 'a = #none | #some a

entry parts (n: i64) : (i64, bool) =
  let f () : ([n]i64, {x: f32, of: shape (i32, [n]bool)}) = assert false ???
  let (ys, r) = #[blank] f ()
  in (length ys, match r.of case #none -> true case #some (_, b) -> length b == n)

-- An expression whose size only it knows is computed after all, and so is a function.
-- ==
-- entry: unknown
-- input { [1, -2, 3] } output { 2i64 6 }

entry unknown (xs: []i32) : (i64, i32) =
  let g : i32 -> i32 = #[blank] (\x -> 2 * x)
  in (length (#[blank] filter (> 0) xs), g 3)

-- ==
-- entry: within
-- input { [0i64, 1, 2] } output { [0i64, 2, 4] }

entry within [n] (is: [n]i64) : [n]i64 =
  map (\i -> let row = #[blank] (map (\j -> is[n + j]) (iota n))
             in last (scatter row [n - 1] [2 * i])) is
