-- ==
-- error: Sizes "m" and "n" do not match
def f (ns: []i64) = map (\n -> iota n) ns
