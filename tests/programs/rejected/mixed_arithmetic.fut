-- ==
-- error: Cannot apply "\+" to "y" \(invalid type\): expected "i32", found "f32"
def main (x: i32) (y: f32) = x + y
