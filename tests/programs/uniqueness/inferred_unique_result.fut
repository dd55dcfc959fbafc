-- ==
-- input { 3i64 } output { [9i64, 1i64, 2i64] }
def make (n: i64) = iota n
def main (n: i64): []i64 = make n with [0] = 9
