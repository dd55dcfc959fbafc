-- ==
-- error: aliased to "xs"
def main (xs: []i32): *[]i32 = xs[1:]
