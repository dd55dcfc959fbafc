-- ==
-- error: .
def f (ns: []i64) = map (\n -> filter (> 0) (iota n)) ns
