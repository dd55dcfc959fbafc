-- ==
-- error: cannot be used as infix
def a ! b = a + b + 1i32
