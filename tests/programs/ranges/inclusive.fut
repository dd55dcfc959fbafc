-- ==
-- input { 3 6 } output { [3, 4, 5, 6] [3, 5] [6, 5, 4, 3] }
entry main (a: i32) (b: i32) = (a...b, a..a+2...b, b..b-1...a)
