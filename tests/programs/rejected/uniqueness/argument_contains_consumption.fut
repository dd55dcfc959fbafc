-- ==
-- error: contains consumption
def set (xs: *[]i64) (i: i64): i64 = (xs with [0] = i)[0]
def main (xs: *[]i64): [3]i64 = map (set xs) (iota 3)
