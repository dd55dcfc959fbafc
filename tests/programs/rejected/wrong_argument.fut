-- ==
-- error: .
def f (x: i32) = x
def main = f true
