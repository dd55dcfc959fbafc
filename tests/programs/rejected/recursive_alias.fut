-- ==
-- error: higher-order parameter
def twice_each (f: i64 -> i64) (n: i64) : i64 =
  let again = twice_each
  in if n < 1 then f n else again f (n / 2)
