-- ==
-- error: in-place update.*alias
def main (rows: *[2][2]i32): [2][2]i32 = rows with [0] = rows[1]
