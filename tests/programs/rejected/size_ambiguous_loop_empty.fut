-- ==
-- error: ambiguous-size
def f = length ([] : [][]i32)
