-- ==
-- entry: times steps
-- input { 5i64 }
-- output { 32i64 }

def repeated (f: i64 -> i64) (n: i64) (x: i64) : i64 =
  if n == 0 then x else repeated f (n - 1) (f x)

entry times (n: i64) = repeated (* 2) n 1
entry steps (n: i64) = repeated (\x -> 2 * x) n 1
