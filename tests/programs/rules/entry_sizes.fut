-- ==
-- input { [1i64, 2, 3] [4i64, 5, 6, 7] }
-- output { 10i64 }

def main [n] (xs: [n]i64) (ys: [n + 1]i64) : i64 = i64.sum xs + ys[0]
