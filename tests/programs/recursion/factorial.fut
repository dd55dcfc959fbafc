-- ==
-- input { 10i64 } output { 3628800i64 }
def factorial (n: i64): i64 = if n <= 1 then 1 else n * factorial (n - 1)
entry main (n: i64) = factorial n
