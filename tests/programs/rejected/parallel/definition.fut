-- ==
-- error: a definition is no loop
#[parallel]
def total [n] (xs: [n]i64): i64 = loop s = 0 for x in xs do s + x
entry main [n] (xs: [n]i64): i64 = total xs
