-- ==
-- input { 15i32 } output { 610i32 }
def fib (n: i32): i32 = if n < 2 then n else fib (n - 1) + fib (n - 2)
entry main (n: i32) = fib n
