-- ==
-- error: Unknown name "m.y"
module m = {def x = 1i32}
def use = m.y
