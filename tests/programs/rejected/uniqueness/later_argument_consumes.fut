-- ==
-- error: "xs".*consumed
def merge [n] (from: [n]i32) (into: *[n]i32): *[n]i32 = into with [0] = from[0]
def main [n] (xs: *[n]i32): [n]i32 = merge xs xs
