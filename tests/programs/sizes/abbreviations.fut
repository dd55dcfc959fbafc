-- ==
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { 5.0 }
type matrix [n] [m] = [n][m]f64
type square [n] = matrix [n] [n]
def trace [n] (a: square [n]): f64 = f64.sum (map (\i -> a[i, i]) (iota n))
entry main [n] (a: square [n]) = trace a
