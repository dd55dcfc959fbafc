-- ==
-- error: type ascription
def f [n] (xs: []i32) (_: [n]bool) = filter (> 0) xs : [n]i32
