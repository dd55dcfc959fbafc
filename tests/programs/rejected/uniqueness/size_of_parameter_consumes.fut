-- ==
-- error: not consumable
def first (xs: *[]i64): i64 = xs[0]
def main (xs: *[]i64) = \(ys: [first xs]i32): i32 -> ys[0]
