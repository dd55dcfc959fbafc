-- ==
-- error: Consuming.*"table"
def table: [4]i32 = [1, 2, 3, 4]
def main (i: i64): [4]i32 = table with [i] = 0
