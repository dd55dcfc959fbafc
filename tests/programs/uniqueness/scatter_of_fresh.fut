-- ==
-- input { 4i64 } output { [0i64, 9i64, 2i64, 9i64] }
def main (n: i64): []i64 = scatter (iota n) [1, 3] [9, 9]
