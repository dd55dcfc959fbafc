-- ==
-- error: "xs".*consumed
def main (xs: *[]i32): i32 =
  let ys = loop ys = xs for i < 3 do ys with [i] = 0
  in ys[0] + xs[0]
