-- ==
-- error: "xs".*not consumable
def main (xs: *[]i32): []i32 =
  loop (xs: []i32) for i < 3 do xs with [i] = 0
