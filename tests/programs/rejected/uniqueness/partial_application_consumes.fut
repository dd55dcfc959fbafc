-- ==
-- error: contains consumption
def set (xs: *[]i64) (i: i64): i64 = (xs with [0] = i)[0]
def main (xs: *[]i64): i64 =
  let f = set xs
  in f 0 + f 1
