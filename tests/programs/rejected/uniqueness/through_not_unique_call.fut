-- ==
-- error: Consuming.*"xs"
def same (xs: []i32): []i32 = xs
def main (xs: []i32): []i32 = (same xs) with [0] = 1
