-- ==
-- error: Name "x" is also bound elsewhere
def main (x: i32, x: i32) = x
