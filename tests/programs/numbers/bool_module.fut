-- ==
-- input { [true, false] } output { 1 true true false }
entry main (bs: []bool) = (i32.sum (map i32.bool bs), bool.i64 3, true == bool.i8 1, bool.u8 0)
