-- ==
-- error: Cannot apply "f" to "true" \(invalid type\)
def f (x: i32) = x
def main = f true
