-- ==
-- input { 2i64 3i64 } output { [0i64, 2i64] [[0i64, 1i64, 2i64], [10i64, 11i64, 12i64]] }
entry main (n: i64) (m: i64) = (tabulate n (* 2), tabulate_2d n m (\i j -> i * 10 + j))
