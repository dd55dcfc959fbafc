-- ==
-- error: does not have expected type
def zero (xs: *[]i32): i32 = xs[0]
def main: []i32 -> i32 = zero
