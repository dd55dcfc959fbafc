-- ==
-- error: expected "integer", found "float"
def main (xs: []i32) = xs[1.0]
