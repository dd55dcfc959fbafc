-- ==
-- error: `loop` is a reserved word
def loop = 1
