-- ==
-- input { } output { 2147483647 -2147483648 5 3 -1 15 }
entry main = (i32.highest, i32.lowest, i32.max 3 5, i32.abs (-3), i32.sgn (-9), i32.sum [4, 5, 6])
