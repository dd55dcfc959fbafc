-- ==
-- error: no field "b" in a record type
def main (r: {a: i32}) = r.b
