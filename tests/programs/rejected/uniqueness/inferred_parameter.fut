-- ==
-- error: Consuming.*"xs"
def bump xs = let xs[0] = xs[0] + 1i32 in xs
