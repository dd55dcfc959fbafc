-- ==
-- input { [1, 2, 3] } output { [1, 2, 30] }
def set_last [n] (xs: *[n]i32) (x: i32): *[n]i32 = xs with [n - 1] = x
entry main (xs: *[]i32) = set_last xs 30
