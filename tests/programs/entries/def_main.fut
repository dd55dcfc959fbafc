-- ==
-- input { 20i64 } output { 210i64 }
def main (n: i64) = i64.sum (map (+ 1) (iota n))
