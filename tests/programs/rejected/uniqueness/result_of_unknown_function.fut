-- ==
-- error: "make".*not consumable
def main (make: i64 -> []i64): []i64 =
  let xs = make 4
  in xs with [0] = 1
