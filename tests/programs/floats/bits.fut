-- ==
-- input { 1.0f32 } output { 0x3f800000u32 2.0f32 }
entry main (x: f32) = (f32.to_bits x, f32.from_bits 0x40000000)
