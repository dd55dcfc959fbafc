-- ==
-- error: aliased to "xs"
def main (xs: []i32) (ys: *[]i32): (*[]i32, *[]i32) = (ys, xs)
