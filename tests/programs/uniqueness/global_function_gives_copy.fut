-- ==
-- input { 1i64 } output { [1, 0, 3] }
def table: [3]i32 = [1, 2, 3]
def fresh () = copy table
def main (i: i64): []i32 = fresh () with [i] = 0
