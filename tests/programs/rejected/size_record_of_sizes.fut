-- ==
-- error: do not match
def f [n] [m] (r: {a: [n]i32, b: [m]i32}) = zip r.a r.b
