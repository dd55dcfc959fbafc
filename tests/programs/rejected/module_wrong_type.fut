-- ==
-- error: Module type specifies "val f : i32 -> i32", but module provides "val f : f32 -> f32"
module m : { val f : i32 -> i32 } = { def f (x: f32) = x }
def main = m.f 1
