-- ==
-- input { 0xffffffffu32 0xffffffffu32 } output { 0xfffffffeu32 0xffffffffu32 }
entry main (a: u32) (b: u32) = (u32.mul_hi a b, u32.mad_hi a b 1)
