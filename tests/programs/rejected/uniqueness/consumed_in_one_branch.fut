-- ==
-- error: "xs".*consumed
def main (b: bool) (xs: *[]i32): i32 =
  let ys = if b then xs with [0] = 1 else replicate 3 0
  in xs[0] + ys[0]
