-- ==
-- error: Cannot apply "f" to "true" \(invalid type\)
def f 'a (x: a) (y: a) = x
def main = f 1i32 true
