-- ==
-- input { 3 6 } output { [3, 4, 5] [6, 5, 4] [6, 4] [3, 5] }
entry main (a: i32) (b: i32) = (a..<b, b..>a, b..b-2..>a, a..a+2..<b)
