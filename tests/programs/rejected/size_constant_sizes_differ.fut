-- ==
-- error: do not match
def f (xs: [2]i32) : [3]i32 = xs
