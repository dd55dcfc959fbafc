-- ==
-- error: do not match
def f [n] (xs: [n]i32) : [n]i32 = if n == 0 then xs else f (tail xs)
