-- ==
-- error: .
def main (r: {a: i32}) = r.b
