-- ==
-- error: do not match
type pair [n] = ([n]i32, [n]i32)
def f (x: [2]i32) (y: [3]i32) : pair [2] = (x, y)
