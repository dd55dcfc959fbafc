-- ==
-- input { [1, 2, 3] [4, 5, 6] } output { 32 3i64 }
def dot [n] (xs: [n]i32) (ys: [n]i32): i32 = reduce (+) 0 (map2 (*) xs ys)
def size [n] 'a (_: [n]a) = n
entry main [n] (xs: [n]i32) (ys: [n]i32) = (dot xs ys, size ys)
