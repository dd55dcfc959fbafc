-- ==
-- error: anonymous-nonconstructive
type^ t = []i32 -> i32
