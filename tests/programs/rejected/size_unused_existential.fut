-- ==
-- error: Existential size "n"
def f : ?[n].(b: i32) -> [n]i32 = \b -> [b]
