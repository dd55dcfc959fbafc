-- ==
-- error: do not match
def f (n: i64) : [n]i64 = let m = n + 1 in iota m
