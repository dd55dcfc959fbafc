-- ==
-- error: constant.*unique
def xs: *[3]i32 = [1, 2, 3]
