-- ==
-- input { 2 5 } output { 7 10 }
def choose (multiply: bool): i32 -> i32 -> i32 =
  \a b -> if multiply then a * b else a + b
entry main (a: i32) (b: i32) = (choose false a b, choose true a b)
