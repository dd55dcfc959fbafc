-- ==
-- error: aliases other consumed loop parameter
def main (n: i64): (*[]i64, *[]i64) =
  loop (a: *[]i64, b: *[]i64) = (iota n, iota n) for _i < n do (b, b)
