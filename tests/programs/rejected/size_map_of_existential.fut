-- ==
-- error: Sizes "m" and "k" do not match
def f (ns: []i64) = map (\n -> filter (> 0) (iota n)) ns
