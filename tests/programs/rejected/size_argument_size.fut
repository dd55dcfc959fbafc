-- ==
-- error: Cannot apply "g"
def g (xs: [4]i32) = xs[0]
def f (ys: [5]i32) = g ys
