-- ==
-- error: unused
def f (xs: []i32) = let [n] (y: i32) = xs[0] in y + i32.i64 n
