-- ==
-- error: Unexpected end of file, expected an expression
def main (x: i32) = (x +
