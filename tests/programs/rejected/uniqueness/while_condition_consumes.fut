-- ==
-- error: not consumable
def drained (xs: *[]i32): bool = (xs with [0] = 0)[0] > 0
def main (xs: *[]i32): []i32 =
  loop ys = copy xs while drained ys do ys with [0] = 1
