-- ==
-- error: Module does not define a value named "x"
module f (p: { val x : i32 }) = { def y = p.x }
module g = f { def z = 1i32 }
def main = g.y
