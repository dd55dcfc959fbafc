-- ==
-- error: .
def main (x: i32): f32 = x
