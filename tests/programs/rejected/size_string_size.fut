-- ==
-- error: do not match
def f : [3]u8 = "four"
