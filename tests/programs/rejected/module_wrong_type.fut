-- ==
-- error: .
module m : { val f : i32 -> i32 } = { def f (x: f32) = x }
def main = m.f 1
