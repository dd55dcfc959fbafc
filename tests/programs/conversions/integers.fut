-- Integers are cut to fewer bits, and extended by their sign only from signed to signed types.
-- ==
-- entry: narrow
-- input { 300i32 -1i32 } output { 44i8 44u8 -1i8 255u8 }
entry narrow (x: i32) (y: i32) = (i8.i32 x, u8.i32 x, i8.i32 y, u8.i32 y)
-- ==
-- entry: widen
-- input { -1i8 255u8 } output { -1i64 255u32 255i64 255u16 }
entry widen (x: i8) (y: u8) = (i64.i8 x, u32.i8 x, i64.u8 y, u16.u8 y)
