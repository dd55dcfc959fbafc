-- ==
-- input { 3 } output { 48 24 }
def twice 'a (f: a -> a) (x: a): a = f (f x)
def apply_n 'a (n: i32) (f: a -> a) (x: a): a = loop x for _i < n do f x
entry main (x: i32) = (twice (* 4) x, apply_n 3 (* 2) x)
