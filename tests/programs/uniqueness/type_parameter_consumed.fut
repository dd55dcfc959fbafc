-- ==
-- input { [1, 2] } output { [1, 2] }
def pass 't (x: *t): *t = x
def main (xs: *[]i32): []i32 = pass xs
