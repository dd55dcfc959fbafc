-- ==
-- error: "xs".*consumed
def main (xs: *[]i32): i32 =
  let ys = xs with [0] = 100
  let look (i: i64): i32 = xs[i]
  in look 0 + ys[0]
