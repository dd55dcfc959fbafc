-- ==
-- error: scope-violation
def f (xs: []i32) (n: i64) : [n]i32 = xs
