-- ==
-- error: result of applying "twice".*consumed
def twice (n: i64): ([]i64, []i64) =
  let xs = iota n
  in (xs, xs)
def main (n: i64): i64 =
  let (a, b) = twice n
  let a' = a with [0] = 9
  in a'[0] + b[0]
