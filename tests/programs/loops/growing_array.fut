-- The loop parameter's size changes with each iteration.
-- ==
-- input { 3i64 } output { [1, 1, 1, 1, 1, 1, 1, 1] }
entry main (n: i64) = loop xs = [1] for _i < n do xs ++ xs
