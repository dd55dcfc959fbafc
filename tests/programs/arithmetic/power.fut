-- ==
-- entry: integers
-- input { 3 4 } output { 81 1 }
entry integers (x: i32) (y: i32) = (x ** y, x ** 0)
-- ==
-- entry: wraps
-- input { } output { 0i32 -1i8 }
entry wraps = (2i32 ** 32, (-1i8) ** 127)
-- ==
-- entry: floats
-- input { 2.0 0.5 } output { 1.4142135623730951 }
entry floats (x: f64) (y: f64) = x ** y
