-- ==
-- error: consuming
def zero (xs: *[]i32): i32 = xs[0]
def main [n] (xss: *[n][]i32): [n]i32 = map zero xss
