-- ==
-- error: not fully saturated
def scaled (k: i64) (step: i64 -> i64) (start: i64) : i64 =
  if k <= 0 then start else (scaled (k - 1) step) (step start) + (let rest = scaled k step in rest 0)
