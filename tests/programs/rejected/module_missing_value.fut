-- ==
-- error: Module does not define a value named "f"
module m : { val f : i32 -> i32 } = { def g (x: i32) = x }
def main = m.f 1
