-- ==
-- error: .
def f (ns: []i64) = map (\n -> iota n) ns
