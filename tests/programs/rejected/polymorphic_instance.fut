-- ==
-- error: .
def f 'a (x: a) (y: a) = x
def main = f 1i32 true
