-- ==
-- input { } output { [[[0i64, 1i64], [10i64, 11i64]], [[100i64, 101i64], [110i64, 111i64]]] }
entry main = tabulate_3d 2 2 2 \i j k -> i * 100 + j * 10 + k
