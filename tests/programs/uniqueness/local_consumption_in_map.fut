-- ==
-- input { 2i64 } output { [[5i64, 1i64], [5i64, 1i64]] }
def main (n: i64): [][]i64 = map (\_ -> let xs = iota 2 let xs[0] = 5 in xs) (iota n)
