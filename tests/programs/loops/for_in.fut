-- ==
-- input { [1, 2, 3] } output { 123 }
entry main (xs: []i32) = loop acc = 0 for x in xs do acc * 10 + x
