-- ==
-- error: self-aliased
def both (p: *([]i32, []i32)): i32 = p.0[0] + p.1[0]
def main (xs: *[]i32): i32 = both (xs, xs)
