-- What a function makes of the rows of an array has its size even if there is no row: slices have
-- the sizes that their bounds tell.
-- ==
-- entry: from_one
-- input { empty([0][3]i64) } output { empty([0][2]i64) 2i64 }
-- input { [[1i64, 2, 3]] } output { [[2i64, 3]] 2i64 }

entry from_one [n] [m] (xs: [n][m]i64) : ([n][]i64, i64) =
  let ys = map (\r -> r[1:]) xs
  in (ys, length (transpose ys))

-- ==
-- entry: between
-- input { empty([0][5]i64) 1i64 4i64 } output { empty([0][3]i64) }
-- input { [[1i64, 2, 3, 4, 5]] 1i64 4i64 } output { [[2i64, 3, 4]] }

entry between (xs: [][]i64) (i: i64) (j: i64) : [][]i64 = map (\r -> r[i:j]) xs

-- ==
-- entry: backwards
-- input { empty([0][5]i64) } output { empty([0][3]i64) empty([0][5]i64) }

entry backwards [n] [m] (xs: [n][m]i64) : ([n][]i64, [n][m]i64) =
  (map (\r -> r[3:0:-1]) xs, map (\r -> r[::-1]) xs)

-- ==
-- entry: within
-- input { empty([0][4]i64) } output { 3i64 }

entry within [n] [m] (xs: [n][m]i64) : i64 =
  length (transpose (map (\r -> map2 (\a b -> b - a) (init r) r[1:] :> [m - 1]i64) xs))
