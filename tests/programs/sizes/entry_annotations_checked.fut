-- Arguments of an entry point are checked against its sizes.
-- ==
-- input { 2i64 [1, 2] [1, 2, 3, 4] } output { 6 }
-- input { 2i64 [1, 2] [1, 2, 3] } error: Value of shape "\[3\]" cannot match shape of type "\[n \* 2\]"
-- input { 3i64 [1, 2] [1, 2, 3, 4] } error: Value of shape "\[2\]" cannot match shape of type "\[n\]"
entry main (n: i64) (xs: [n]i32) (ys: [n * 2]i32) = xs[0] + xs[n - 1] + ys[2]
