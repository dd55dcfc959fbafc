-- Integers wrap around at their width.
-- ==
-- entry: signed8
-- input { 127i8 1i8 } output { -128i8 126i8 127i8 }
entry signed8 (a: i8) (b: i8) = (a + b, a - b, a * b)
-- ==
-- entry: unsigned8
-- input { 200u8 100u8 } output { 44u8 100u8 32u8 156u8 }
entry unsigned8 (a: u8) (b: u8) = (a + b, a - b, a * b, b - a)
-- ==
-- entry: signed32
-- input { 2147483647 } output { -2147483648 -2 }
entry signed32 (a: i32) = (a + 1, a * 2)
-- ==
-- entry: signed64
-- input { 9223372036854775807i64 } output { -9223372036854775808i64 }
entry signed64 (a: i64) = a + 1
-- ==
-- entry: negate_smallest
-- input { -128i8 } output { -128i8 -128i8 }
entry negate_smallest (a: i8) = (-a, i8.abs a)
