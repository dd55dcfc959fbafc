-- ==
-- input { 255u8 1u8 } output { false true }
entry main (a: u8) (b: u8) = (a < b, a > b)
