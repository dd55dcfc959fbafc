-- ==
-- entry: operators
-- input { 0b1100 0b1010 } output { 0b1000 0b1110 0b0110 -13 }
entry operators (x: i32) (y: i32) = (x & y, x | y, x ^ y, !x)
-- ==
-- entry: counting
-- input { 0x00f0u16 } output { 4i32 8i32 4i32 }
entry counting (x: u16) = (u16.popc x, u16.clz x, u16.ctz x)
-- ==
-- entry: single_bits
-- input { 5i32 } output { 1i32 0i32 7i32 }
entry single_bits (x: i32) = (i32.get_bit 0 x, i32.get_bit 1 x, i32.set_bit 1 x 1)
