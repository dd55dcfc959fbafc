-- ==
-- input { 5 } output { 12 11 }
entry main (x: i32) = (((+ 1) >-> (* 2)) x, ((+ 1) <-< (* 2)) x)
