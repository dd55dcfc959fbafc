-- The rows' size is that of some argument, but the annotation hides which.
-- ==
-- entry: column_sums
-- input { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [1, 1, 1]]] } output { [[5, 7, 9], [8, 9, 10]] }
-- input { empty([0][2][3]i32) } output { empty([0][3]i32) }
-- input { empty([2][0][3]i32) } output { [[0, 0, 0], [0, 0, 0]] }
def add [n] (xs: [n]i32) (ys: [n]i32): [n]i32 =
  loop sums = replicate n 0 for i < n do sums with [i] = xs[i] + ys[i]

def sums [n] [m] (rows: [n][m]i32): []i32 = reduce_comm add (replicate m 0) rows

entry column_sums (xss: [][][]i32) = map sums xss

-- ==
-- entry: lengths
-- input { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [1, 1, 1]]] } output { [3i64, 3i64] }
-- input { empty([0][2][3]i32) } output { empty([0]i64) }
entry lengths (xss: [][][]i32) = map (\row -> length row) (map sums xss)
