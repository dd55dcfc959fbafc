-- ==
-- input { 1 2.0 } output { 2.0 1 }
def flip_pair p = let (a, b) = p in (b, a)
entry main (a: i32) (b: f64) = flip_pair (a, b)
