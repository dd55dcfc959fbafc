-- ==
-- input { [1, 2] [1, 2] [2, 1] } output { true false true }
entry main [n] (a: [n]i32) (b: [n]i32) (c: [n]i32) = (a == b, a == c, a != c)
