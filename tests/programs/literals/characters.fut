-- Characters are code points of whatever integer type is asked for.
-- ==
-- input { } output { 65i32 10u8 233i64 92 }
entry main = ('A', '\n' : u8, 'é' : i64, '\\')
