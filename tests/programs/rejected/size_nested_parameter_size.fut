-- ==
-- error: not be accessible
def f (x: i64, y: i64) (a: [x]bool) = true
