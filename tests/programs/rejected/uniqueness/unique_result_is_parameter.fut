-- ==
-- error: aliased to "xs", which is not consumable
def main (xs: []i32): *[]i32 = xs
