-- ==
-- input { [1, 2, 3] } output { 6 6.0 }
module type monoid = {
  type t
  val add : t -> t -> t
  val zero : t
}
module sums (m: monoid) = {
  def sum [n] (xs: [n]m.t): m.t = reduce m.add m.zero xs
}
module i32_monoid = { type t = i32 def add (x: i32) (y: i32) = x + y def zero = 0i32 }
module i32_sums = sums i32_monoid
module f64_sums = sums { type t = f64 def add (x: f64) y = x + y def zero = 0f64 }
entry main (xs: []i32) = (i32_sums.sum xs, f64_sums.sum (map f64.i32 xs))
