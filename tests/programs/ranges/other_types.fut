-- ==
-- input { } output { [250u8, 251u8, 252u8] [-2i8, 0i8, 2i8] }
entry main = (250u8..<253, -2i8..0...2)
