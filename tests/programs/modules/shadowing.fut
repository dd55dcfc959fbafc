-- ==
-- input { 1 } output { 11 }
module m = { def f (x: i32) = x + 1 }
module m = { open m def g (x: i32) = f x * 5 + 1 }
entry main (x: i32) = m.g x
