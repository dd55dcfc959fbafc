-- ==
-- error: Cannot apply "\+" to "x" \(invalid type\): expected "number", found "a"
def f 'a (x: a): a = x + 1
def main = f 1i32
