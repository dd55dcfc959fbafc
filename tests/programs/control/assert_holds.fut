-- ==
-- input { 4 } output { 2 }
entry main (x: i32) = assert (x % 2 == 0) (x / 2)
