-- ==
-- error: .
def f 'a (x: a): a = x + 1
def main = f 1i32
