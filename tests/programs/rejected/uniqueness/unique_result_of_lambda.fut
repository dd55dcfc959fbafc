-- ==
-- error: aliased to "ys"
def main (xs: []i32): []i32 = (\(ys: []i32): *[]i32 -> ys) xs
