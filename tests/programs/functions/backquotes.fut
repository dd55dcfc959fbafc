-- ==
-- input { 7 3 } output { 4 3 }
def minus (a: i32) (b: i32) = a - b
entry main (a: i32) (b: i32) = (a `minus` b, a `i32.min` b)
