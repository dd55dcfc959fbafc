-- ==
-- error: type "i32 -> i32" found to be functional
def main = [\(x: i32) -> x]
