-- ==
-- input { 3i64 } output { 2i64 }
def last (make: i64 -> []i64) (n: i64): i64 = (make n)[n - 1]
def main (n: i64): i64 = last iota n
