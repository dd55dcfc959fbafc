-- ==
-- error: uses variable "xs".*consumed by the initial loop argument
def main (xs: *[]i32): []i32 =
  loop ys = xs for i < 3 do ys with [i] = xs[0]
