-- Filtering and partitioning keep the order, also of arrays and tuples.
-- ==
-- entry: filters
-- input { [3, -1, 4, -1, 5] } output { [3, 4, 5] [-1, -1] [9, 16, 25] }

-- ==
-- entry: filters
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) empty([0]i32) }

-- ==
-- entry: rows
-- input { [[1, 2], [3, 1], [5, 6]] } output { [[1, 2], [5, 6]] 2i64 }

-- ==
-- entry: rows
-- input { [[2, 1]] } output { empty([0][2]i32) 0i64 }

-- ==
-- entry: partitions
-- input { [5, 2, 9, 4, 7, 6] }
-- output { [2, 4, 6] [5, 9, 7] [9] [5, 7, 6] [2, 4] }

-- ==
-- entry: partitions
-- input { [1] }
-- output { empty([0]i32) [1] empty([0]i32) empty([0]i32) [1] }

entry filters (xs: []i32) =
  let positive = filter (> 0) xs
  in (positive, filter (< 0) xs, map (\x -> x * x) positive)

entry rows [n] [m] (xss: [n][m]i32) =
  let kept = filter (\xs -> xs[0] < xs[1]) xss
  in (kept, length kept)

entry partitions (xs: []i32) =
  let (even, odd) = partition (\x -> x % 2 == 0) xs
  let (large, middle, small) = partition2 (> 8) (> 4) xs
  in (even, odd, large, middle, small)
