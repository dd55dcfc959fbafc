-- ==
-- input { [1, 2] } output { [7, 8] }
def first (xs: *[]i32) = xs with [0] = 7
def main (xs: *[]i32): []i32 = first xs with [1] = 8
