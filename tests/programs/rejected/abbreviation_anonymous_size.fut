-- ==
-- error: anonymous-nonconstructive
type^ reader = []u8 -> i32
