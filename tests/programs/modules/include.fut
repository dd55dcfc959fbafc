-- ==
-- input { 1 } output { 3 }
module type base = { type t val one : t }
module type extended = { include base val plus : t -> t -> t }
module m : extended with t = i32 = { type t = i32 def one = 1i32 def plus (a: i32) b = a + b }
entry main (x: i32) = m.plus (m.plus m.one m.one) x
