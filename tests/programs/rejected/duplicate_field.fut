-- ==
-- error: field "a" previously defined in the same record
def main = {a = 1, a = 2}
