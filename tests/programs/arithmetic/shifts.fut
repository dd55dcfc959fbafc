-- ==
-- entry: signed
-- input { -8i32 1i32 } output { -16i32 -4i32 }
entry signed (x: i32) (n: i32) = (x << n, x >> n)
-- ==
-- entry: unsigned
-- input { 0x80u8 3u8 } output { 0u8 16u8 }
entry unsigned (x: u8) (n: u8) = (x << n, x >> n)
-- ==
-- entry: logical
-- input { -8i32 } output { 2147483644i32 }
entry logical (x: i32) = i32.u32 (u32.i32 x >> 1)
