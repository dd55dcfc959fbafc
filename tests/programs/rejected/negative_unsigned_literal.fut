-- ==
-- error: out of bounds
def below : u16 = -1
