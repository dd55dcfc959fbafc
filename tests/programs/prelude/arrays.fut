-- Making arrays and taking them apart.
-- ==
-- entry: parts
-- input { [5, 6, 7, 8] }
-- output { 4i64 false 5 8 [6, 7, 8] [5, 6, 7] [5, 6] [7, 8] [8, 7, 6, 5] }

-- ==
-- entry: head_of_nothing
-- input { empty([0]i32) } error: Index \[0\] out of bounds for array of shape \[0\]

-- ==
-- entry: splits
-- input { [5, 6, 7, 8, 9] } output { [5, 6] [7, 8, 9] [5, 6, 7, 8, 9] [7, 8, 9, 5, 6] }

-- ==
-- entry: turned
-- input { [1, 2, 3, 4] 1i64 } output { [2, 3, 4, 1] }
-- input { [1, 2, 3, 4] -1i64 } output { [4, 1, 2, 3] }
-- input { [1, 2, 3, 4] 6i64 } output { [3, 4, 1, 2] }
-- input { [1, 2, 3, 4] -7i64 } output { [2, 3, 4, 1] }
-- input { empty([0]i32) 3i64 } output { empty([0]i32) }

-- ==
-- entry: made
-- input { 3i64 }
-- output { [0i64, 1i64, 2i64] [true, true, true] [7, 7, 7] [0i64, 1i64, 2i64] [0i64, 2i64, 4i64]
--          [[0i64, 1i64], [10i64, 11i64], [20i64, 21i64]]
--          [[[0i64], [10i64]], [[100i64], [110i64]], [[200i64], [210i64]]] }

-- ==
-- entry: made
-- input { 0i64 }
-- output { empty([0]i64) empty([0]bool) empty([0]i32) empty([0]i64) empty([0]i64) empty([0][2]i64)
--          empty([0][2][1]i64) }

-- ==
-- entry: reshaped
-- input { [[[1, 2], [3, 4], [5, 6]]] }
-- output { [[1, 2], [3, 4], [5, 6]] [1, 2, 3, 4, 5, 6] [1, 2, 3, 4, 5, 6] [[1, 3, 5], [2, 4, 6]]
--          [[1, 2, 3], [4, 5, 6]] [[[1], [2]], [[3], [4]], [[5], [6]]] }

-- ==
-- entry: transposed_nothing
-- input { empty([0][3]i32) } output { empty([3][0]i32) 3i64 0i64 }

-- ==
-- entry: folds
-- input { [1, 2, 3] } output { 4 -8 [3, 2, 1] [1, 2, 3] }

-- ==
-- entry: copies
-- input { [1, 2, 3] } output { [1, 2, 3] [9, 2, 3] [1, 9, 3] [[1, 1], [2, 2], [3, 3]] }

entry parts (xs: []i32) =
  ( length xs, null xs, head xs, last xs, tail xs, init xs, take 2 xs, drop 2 xs, reverse xs)

entry head_of_nothing (xs: []i32) : i32 = head xs

entry splits (xs: [5]i32) =
  let (as, bs) : ([2]i32, [3]i32) = split (xs :> [2 + 3]i32)
  in (as, bs, as ++ bs, concat bs as)

entry turned (xs: []i32) (r: i64) = rotate r xs

entry made (n: i64) =
  ( iota n
  , replicate n true
  , (rep 7 : [n]i32)
  , indices (replicate n 'x')
  , tabulate n (* 2)
  , tabulate_2d n 2 (\i j -> 10 * i + j)
  , tabulate_3d n 2 1 (\i j k -> 100 * i + 10 * j + k)
  )

entry reshaped (xs: [1][3][2]i32) =
  let flat : [6]i32 = flatten_3d xs :> [6]i32
  in ( flatten xs
     , flat
     , flatten_4d [xs]
     , transpose xs[0]
     , (unflatten (flat :> [2 * 3]i32) : [2][3]i32)
     , (unflatten_3d (flat :> [3 * 2 * 1]i32) : [3][2][1]i32)
     )

entry transposed_nothing [n] [m] (xs: [n][m]i32) =
  let ys = transpose xs
  in (ys, length ys, length ys[0])

entry folds (xs: []i32) =
  ( foldl (-) 10 xs
  , foldr (-) 10 xs
  , foldl (\as x -> [x, as[0], as[1]]) [0, 0, 0] xs
  , foldr (\x as -> [x, as[0], as[1]]) [0, 0, 0] xs
  )

entry copies [n] (xs: [n]i32) =
  let ys = copy xs with [0] = 9
  let zs = manifest xs with [1] = 9
  in (xs, ys, zs, manifest (transpose [xs, xs]))
