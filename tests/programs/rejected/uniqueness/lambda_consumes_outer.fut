-- ==
-- error: Consuming.*"xs".*not consumable
def main (xs: *[]i32): []i32 =
  let change = \(i: i64): []i32 -> xs with [i] = 0
  in change 1
