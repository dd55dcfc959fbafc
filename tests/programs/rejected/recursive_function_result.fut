-- ==
-- error: not first-order
def shifts (n: i64) : i64 -> i64 =
  \x -> if n < 1 then x else (shifts (n - 1)) (2 * x)
