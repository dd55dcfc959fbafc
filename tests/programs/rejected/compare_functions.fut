-- ==
-- error: "i32 -> i32" which does not support equality
def main = (\(x: i32) -> x) == (\(x: i32) -> x)
