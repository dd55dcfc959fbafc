-- ==
-- error: Branches differ in type: former "i32", latter "bool"
def main (b: bool) = if b then 1i32 else true
