-- ==
-- error: do not match
def f = [[1, 2], [3]]
