-- ==
-- input { 7 3 } output { 4 }
def (+) (a: i32) (b: i32) = a - b
entry main (a: i32) (b: i32) = a + b
