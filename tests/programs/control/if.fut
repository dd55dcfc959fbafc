-- ==
-- input { [5, -5, 0] } output { [1, -1, 0] }
def sign (x: i32): i32 = if x > 0 then 1 else if x < 0 then -1 else 0
entry main (xs: []i32) = map sign xs
