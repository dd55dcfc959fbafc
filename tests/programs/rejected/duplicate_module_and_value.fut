-- ==
-- error: Duplicate definition
def same = 1i32
module same = {}
