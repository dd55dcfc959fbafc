-- ==
-- error: passed unchanged
def walk (at: i64) (next: i64 -> i64) : i64 =
  if at > 100 then at else walk (next at) (next >-> next)
