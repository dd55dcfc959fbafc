-- Recursion without end is an error, not a crash.
-- ==
-- input { 1i64 } error: recursion
def forever (n: i64): i64 = 1 + forever (n + 1)
entry main (n: i64) = forever n
