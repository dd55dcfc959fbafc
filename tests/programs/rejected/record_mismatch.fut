-- ==
-- error: unshared fields: b
def f (r: {a: i32, b: i32}) = r.a
def main = f {a = 1}
