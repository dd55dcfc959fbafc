-- ==
-- error: do not match
type s [n] = #a ([n]i32) | #b
def f (x: s [2]) (y: s [3]) : [](s [2]) = [x, y]
