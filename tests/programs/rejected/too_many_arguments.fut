-- ==
-- error: .
def f (x: i32): i32 = x
def main = f 1 2
