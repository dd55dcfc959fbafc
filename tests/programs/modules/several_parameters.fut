-- ==
-- input { 5 } output { 8.0 }
module type number = { type t val from : i32 -> t val add : t -> t -> t }
module type scale = { val factor : i32 }
module scaled (n: number) (s: scale) = {
  def shift (x: n.t): n.t = n.add x (n.from s.factor)
}
module f64_number = { type t = f64 def from (x: i32) = f64.i32 x def add (a: f64) (b: f64) = a + b }
module by_three = scaled f64_number { def factor = 3i32 }
entry main (x: i32) = by_three.shift (f64.i32 x)
