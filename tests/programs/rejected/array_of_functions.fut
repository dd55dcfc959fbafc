-- ==
-- error: .
def main = [\(x: i32) -> x]
