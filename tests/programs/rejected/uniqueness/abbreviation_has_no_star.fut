-- ==
-- error: Consuming.*"xs"
type numbers [n] = *[n]i32
def main [n] (xs: numbers [n]): [n]i32 = xs with [0] = 1
