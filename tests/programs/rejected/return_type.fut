-- ==
-- error: Function body does not have expected type: expected "f32", found "i32"
def main (x: i32): f32 = x
