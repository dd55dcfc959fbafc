-- ==
-- input { 1 1 5 } error: Range 1\.\.1\.\.\.5 is invalid
entry main (a: i32) (b: i32) (c: i32) = a..b...c
