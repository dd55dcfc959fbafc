-- ==
-- input { 100000i64 } output { 4999950000i64 }
entry main (n: i64) =
  i64.sum (loop xs = replicate n 0 for i < n do xs with [i] = i)
