-- ==
-- error: size-polymorphic
entry f (x: i32) : [][]i32 = []
