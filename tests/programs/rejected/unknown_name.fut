-- ==
-- error: nknown
def main (x: i32) = x + yy
