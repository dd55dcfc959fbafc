-- Sizes that are 0, negative or huge, where there is no element: a negative one is 0.
-- ==
-- entry: rows
-- input { 0i64 -1i64 } output { empty([0][0]i64) }
-- input { 0i64 5i64 } output { empty([0][5]i64) }
-- input { 0i64 4611686018427387904i64 } output { empty([0][4611686018427387904]i64) }
-- input { 2i64 0i64 } output { empty([2][0]i64) }
-- input { 2i64 -1i64 } error: Range 0..1..<-1 is invalid
-- input { -1i64 0i64 } error: Range 0..1..<-1 is invalid
entry rows (n: i64) (k: i64) = map (map (+ 1)) (tabulate_2d n k (\i j -> i + j))
-- ==
-- entry: doubled
-- input { -1i64 0i64 } output { 0i64 }
-- input { 3i64 0i64 } output { 3i64 }
-- input { 0i64 3i64 } output { 0i64 }
-- input { 3i64 -1i64 } error: is invalid
def q (n: i64) (k: i64) =
  map (\r -> r ++ r) (transpose (tabulate_2d k n (\i j -> i + j))) |> length
entry doubled (n: i64) (k: i64) = q n k
-- ==
-- entry: constants
-- input { } output { empty([0][0]i64) 0i64 0i64 }
entry constants =
  let xs = tabulate_2d 0 (-1) (\i j -> i + j)
  in (map (map (+ 1)) xs, length (transpose xs), length (flatten xs))
-- ==
-- entry: three
-- input { 2i64 0i64 -1i64 } output { empty([2][0][0]i64) empty([0][2][0]i64) 0i64 }
-- input { 0i64 -1i64 -1i64 } output { empty([0][0][0]i64) empty([0][0][0]i64) 0i64 }
-- input { 0i64 -1i64 7i64 } output { empty([0][0][7]i64) empty([0][0][7]i64) 0i64 }
entry three (n: i64) (k: i64) (m: i64) =
  let xs = tabulate_3d n k m (\i j l -> i + j + l)
  in (map (map (map (* 2))) xs, transpose xs, i64.sum (flatten_3d xs))
-- ==
-- entry: too_many
-- input { 4611686018427387904i64 } error: more elements than can be counted
entry too_many (n: i64) =
  let xs = transpose (tabulate_2d 0 n (\i j -> i + j))
  in length (xs ++ xs)
-- ==
-- entry: flat
-- input { 4611686018427387904i64 4611686018427387904i64 } error: more elements than can be counted
-- input { 1048576i64 1048576i64 } output { 1099511627776i64 }
-- input { 0i64 4611686018427387904i64 } output { 0i64 }
entry flat (n: i64) (k: i64) = length (flatten (replicate n (replicate k (iota 0))))
-- ==
-- entry: unflat
-- input { 0i64 4611686018427387904i64 } output { 0i64 }
-- input { 4611686018427387904i64 0i64 } output { 4611686018427387904i64 }
-- input { -1i64 0i64 } error: Cannot unflatten
entry unflat (n: i64) (k: i64) = length (unflatten (iota 0 :> [n * k]i64) :> [n][k]i64)
-- ==
-- entry: accelerated
-- input { } output { empty([0][0]i64) }
entry accelerated = #[accelerate] map (map (+ 1)) (tabulate_2d 0 (-1) (\i j -> i + j))
