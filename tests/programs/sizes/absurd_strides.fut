-- Rows and slices of arrays without elements, whose strides leave the range of numbers.

-- ==
-- entry: sliced row
-- input { 0i64 4i64 4611686018427387904i64 } output { 2i64 }
-- input { 0i64 4i64 0i64 } output { 2i64 }

entry sliced (n: i64) (k: i64) (m: i64) : i64 =
  let x = tabulate_3d n k m (\i j l -> i + j + l)
  in length (transpose x[:, 2:k:1])

entry row (n: i64) (k: i64) (m: i64) : i64 =
  let x = transpose (tabulate_3d n k m (\i j l -> i + j + l))
  in i64.i32 (i32.bool (length x[k - 2] == n)) + i64.i32 (i32.bool (length (transpose x[1]) == m))

-- Rows taken as values by functions that are applied to elements, too.
-- ==
-- entry: rows_mapped row_of_records
-- input { 0i64 4i64 4611686018427387904i64 } output { 4i64 }

entry rows_mapped (n: i64) (k: i64) (m: i64) : i64 =
  let x = transpose (tabulate_3d n k m (\i j l -> i + j + l))
  in i64.sum (map (\row -> i64.bool (length row == n)) x)

entry row_of_records (n: i64) (k: i64) (m: i64) : i64 =
  let x = transpose (tabulate_3d n k m (\i j l -> (i + j, l)))
  let row = x[k - 1]
  in k + length row
