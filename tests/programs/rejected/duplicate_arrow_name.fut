-- ==
-- error: also bound
def f (g: (n: i64) -> (n: i64) -> [n]i32) = g 1 2
