-- ==
-- error: do not match
def f (xs: []i32) = zip (filter (> 0) xs) (filter (< 0) xs)
