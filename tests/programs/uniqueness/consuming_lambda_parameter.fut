-- ==
-- input { [1, 2] } output { [3, 2] }
def main (xs: *[]i32): []i32 = (\(ys: *[]i32) -> ys with [0] = 3) xs
