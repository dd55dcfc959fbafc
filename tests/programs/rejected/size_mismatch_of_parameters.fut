-- ==
-- error: do not match
def f [n] [m] (xs: [n]i32) (ys: [m]i32) = zip xs ys
