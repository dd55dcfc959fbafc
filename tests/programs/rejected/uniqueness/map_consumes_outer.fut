-- ==
-- error: Consuming.*"total"
def main (total: *[]i32): [3][]i32 = map (\i -> total with [i] = 0) (iota 3)
