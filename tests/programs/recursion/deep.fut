-- ==
-- input { 5000i64 } output { 12502500i64 }
def sum_to (n: i64): i64 = if n == 0 then 0 else n + sum_to (n - 1)
entry main (n: i64) = sum_to n
