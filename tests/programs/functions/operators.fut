-- ==
-- input { 2 3 } output { 13 9 }
def (a: i32) +^ (b: i32) = a * a + b * b
def (<+>) 'a (f: a -> a) (g: a -> a) = \x -> g (f x)
entry main (a: i32) (b: i32) = (a +^ b, ((+ 1) <+> (* 3)) a)
