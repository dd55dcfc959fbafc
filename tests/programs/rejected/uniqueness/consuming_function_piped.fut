-- ==
-- error: Cannot apply
def zero (xs: *[]i32): i32 = xs[0]
def main (xs: *[]i32): i32 = xs |> zero
