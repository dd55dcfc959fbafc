-- ==
-- error: .
def loop = 1
