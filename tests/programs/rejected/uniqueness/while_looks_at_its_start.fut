-- ==
-- error: condition uses variable "xs"
def main (xs: *[]i32): []i32 =
  loop ys = xs while xs[0] > 0 do ys with [0] = 0
