-- ==
-- error: do not match
def f [n] (xs: *[n][2]i32) = xs with [0] = [1, 2, 3]
