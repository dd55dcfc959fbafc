-- ==
-- input { 5 4 } error: Range 5\.\.4\.\.<1 is invalid
entry main (a: i32) (b: i32) = a..b..<1
