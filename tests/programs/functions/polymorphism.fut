-- ==
-- input { 1 true } output { true 1 [1, 1] }
def swap 'a 'b ((x, y): (a, b)): (b, a) = (y, x)
def both 'a (x: a): [2]a = [x, x]
entry main (a: i32) (b: bool) =
  let (p, q) = swap (a, b)
  in (p, q, both a)
