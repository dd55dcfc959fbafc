-- ==
-- error: "xs".*consumed
def main (xs: *[8]i32): [4]i32 =
  let low = xs[0:4]
  let ys = xs with [0] = 1
  in map (+ ys[0]) low
