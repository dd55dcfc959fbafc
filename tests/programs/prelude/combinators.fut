-- What the combinators do at their edges: empty arrays, indexes out of bounds, operators that do not
-- commute.
-- ==
-- entry: maps
-- input { [1, 2, 3] }
-- output { [2, 3, 4] [2, 4, 6] [3, 6, 9] [4, 8, 12] [5, 10, 15] }

-- ==
-- entry: maps
-- input { empty([0]i32) }
-- output { empty([0]i32) empty([0]i32) empty([0]i32) empty([0]i32) empty([0]i32) }

-- ==
-- entry: in_order
-- input { [2, -1, 3, 1] [1, 3, 0, -5] }
-- output { [2, -2, -6, -6] [1, 2, 6, 1] [1, 2, -2, -6] [0, 1, 2, 6] -6 1 }

-- ==
-- entry: exclusive
-- input { [3, 1, 4] } output { [0, 3, 4] 8 }

-- ==
-- entry: exclusive
-- input { empty([0]i32) } output { empty([0]i32) 0 }

-- ==
-- entry: predicates
-- input { [1, 5, 3] } output { false true true }

-- ==
-- entry: predicates
-- input { empty([0]i32) } output { true false true }

-- ==
-- entry: histograms
-- input { [0i64, 2i64, -1i64, 0i64, 3i64] [1, 10, 100, 1000, 10000] }
-- output { [1001, 0, 10] [6001, 5, 15] }

-- ==
-- entry: histograms_2d
-- input { [0i64, 1i64, 1i64, 2i64, 0i64] [0i64, 1i64, 1i64, 0i64, -1i64] [1, 2, 3, 4, 5] }
-- output { [[1, 0], [0, 5]] [[[1, 0], [0, 0]], [[0, 0], [0, 5]]] }

-- ==
-- entry: scatters
-- input { [2i64, 0i64, 7i64, -1i64] [1, 2, 3, 4] }
-- output { [2, 9, 1] [2, 0, 1] [[9, 9, 1], [9, 2, 9]] [[[1, 0], [0, 2]]] }

entry maps [n] (xs: [n]i32) =
  ( map1 (+ 1) xs
  , map2 (+) xs xs
  , map3 (\a b c -> a + b + c) xs xs xs
  , map4 (\a b c d -> a + b + c + d) xs xs xs xs
  , map5 (\a b c d e -> a + b + c + d + e) xs xs xs xs xs
  )

-- Functions `x -> a*x + b` applied one after the other.
entry in_order [n] (as: [n]i32) (bs: [n]i32) =
  let after (f: (i32, i32)) (g: (i32, i32)) = (f.0 * g.0, f.1 * g.0 + g.1)
  let functions = zip as bs
  let (inclusive_as, inclusive_bs) = unzip (scan after (1, 0) functions)
  let (exclusive_as, exclusive_bs) = unzip (exscan after (1, 0) functions)
  let (a, b) = reduce after (1, 0) functions
  in (inclusive_as, inclusive_bs, exclusive_as, exclusive_bs, a, b)

entry exclusive [n] (xs: [n]i32) = (exscan (+) 0 xs, reduce_comm (+) 0 xs)

entry predicates [n] (xs: [n]i32) =
  (all (< 4) xs, any (> 4) xs, and (map (> 0) xs))

entry histograms [n] (is: [n]i64) (xs: [n]i32) =
  (hist (+) 0 3 is xs, reduce_by_index (copy [5000, 5, 5]) (+) 0 is xs)

entry histograms_2d [n] (is: [n]i64) (js: [n]i64) (xs: [n]i32) =
  ( reduce_by_index_2d (replicate 2 (replicate 2 0)) (+) 0 (zip is js) xs
  , reduce_by_index_3d (replicate 2 (replicate 2 (replicate 2 0))) (+) 0 (zip3 is js js) xs
  )

entry scatters [n] (is: [n]i64) (xs: [n]i32) =
  ( scatter (replicate 3 9) is xs
  , spread 3 0 is xs
  , scatter_2d (replicate 2 (replicate 3 9)) (zip [0, 1, 1, -1] [2, 1, 3, 0]) (sized 4 xs)
  , scatter_3d (replicate 1 (replicate 2 (replicate 2 0)))
               [(0, 0, 0), (0, 1, 1), (0, 2, 0), (1, 0, 0)]
               (sized 4 xs)
  )
