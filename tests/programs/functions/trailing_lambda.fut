-- ==
-- input { 3i64 } output { [0i64, 1i64, 4i64] }
entry main (n: i64) = tabulate n \i -> i * i
