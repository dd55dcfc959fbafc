-- ==
-- input { 250u8 7u8 } output { 35u8 5u8 35u8 5u8 }
entry main (x: u8) (y: u8) = (x / y, x % y, x // y, x %% y)
