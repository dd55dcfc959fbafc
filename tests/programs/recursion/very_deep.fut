-- Sanitizers leave room for fewer calls: their runs exclude the tag.
-- ==
-- tags { deep }
-- input { 1000000i64 } output { 500000500000i64 }
def sum_to (n: i64): i64 = if n == 0 then 0 else n + sum_to (n - 1)
entry main (n: i64) = sum_to n
