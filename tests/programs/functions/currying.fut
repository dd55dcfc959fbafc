-- ==
-- input { 3 } output { 8 [4, 5] }
def add (a: i32) (b: i32) = a + b
entry main (x: i32) =
  let add_x = add x
  in (add_x 5, map (add x) [1, 2])
