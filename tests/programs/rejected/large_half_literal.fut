-- ==
-- error: out of bounds
def much : f16 = 65520
