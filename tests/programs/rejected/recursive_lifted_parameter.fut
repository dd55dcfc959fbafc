-- ==
-- error: passed unchanged
def chain '^t (value: t) (change: t -> t) (left: i64) : i64 =
  if left == 0 then 7 else chain (change value) change (left - 1)
