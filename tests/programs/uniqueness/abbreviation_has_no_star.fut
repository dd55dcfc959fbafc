-- ==
-- input { [1, 2] } output { [1, 2] }
type numbers [n] = *[n]i32
def same [n] (xs: numbers [n]): numbers [n] = xs
def main (xs: []i32): []i32 = same xs
