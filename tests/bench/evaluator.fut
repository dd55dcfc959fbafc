-- What the reference evaluator costs: a scalar loop of 10^7 iterations (at most 1 s), and a reduction
-- over a map of 10^6 elements (at most 0.2 s).  `sinter bench tests/bench`.
-- ==
-- entry: scalar_loop
-- input { 10000000i64 } output { 19999999i64 }
entry scalar_loop (n: i64) = loop s = 0 for i < n do s + i * i % 7

-- ==
-- entry: sum_of_squares
-- input { 1000000i64 } output { 333332833333500000i64 }
entry sum_of_squares (n: i64) = reduce (+) 0 (map (\x -> x * x) (iota n))
