-- ==
-- error: incompatible uniqueness|Cannot apply
def change (make: i64 -> *[]i64): []i64 = make 3 with [0] = 1
def same (xs: []i64) (_: i64): []i64 = xs
def main (xs: []i64): []i64 = change (same xs)
