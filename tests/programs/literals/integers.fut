-- Integer literals: suffixes, hexadecimal, binary, underscores, defaults.
-- ==
-- entry: suffixes
-- input { } output { 1i8 -2i16 3i32 4i64 5u8 6u16 7u32 8u64 }
entry suffixes = (1i8, -2i16, 3i32, 4i64, 5u8, 6u16, 7u32, 8u64)

-- ==
-- entry: bases
-- input { } output { 255 10 1000000 -16 }
entry bases = (0xff, 0b1010, 1_000_000, -0x10)

-- ==
-- entry: as_floats
-- input { } output { 1f32 2.0f64 3f16 }
entry as_floats: (f32, f64, f16) = (1, 2, 3f16)
