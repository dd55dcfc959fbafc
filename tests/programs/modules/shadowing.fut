-- An inner module may have an outer one's name and still open it.
-- ==
-- input { 1 } output { 11 }
module m = { def f (x: i32) = x + 1 }
module outer = {
  module m = { open m def g (x: i32) = f x * 5 + 1 }
  def f = m.g
}
entry main (x: i32) = outer.f x
