-- ==
-- input { [3i64, 1i64, 2i64] } output { 6i64 6i64 1i64 3i64 }
entry main (xs: []i64) = (i64.sum xs, i64.product xs, i64.minimum xs, i64.maximum xs)
