-- ==
-- error: "look".*consumed|"xs".*consumed
def main (xs: *[]i32): i32 =
  let look (i: i64): i32 = xs[i]
  let ys = xs with [0] = 100
  in look 0 + ys[0]
