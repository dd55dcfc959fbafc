-- ==
-- input { 2 5 } output { 7 10 }
def add {left: i32, right: i32}: i32 = left + right
def mul {left = a, right = b} = a * b : i32
entry main (x: i32) (y: i32) = (add {left = x, right = y}, mul {right = y, left = x})
