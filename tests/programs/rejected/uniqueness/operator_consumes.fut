-- ==
-- error: "xs".*consumed
def (<+) [n] (xs: *[n]i64) (y: i64): *[n]i64 = xs with [0] = y
def main (xs: *[4]i64): i64 =
  let ys = xs <+ 3
  in ys[0] + xs[0]
