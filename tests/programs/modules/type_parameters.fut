-- ==
-- input { [1, 2, 3] } output { 2 3i64 }
module type container = {
  type c [n] 'a
  val wrap [n] 'a : [n]a -> c [n] a
  val get [n] 'a : i64 -> c [n] a -> a
  val size [n] 'a : c [n] a -> i64
}
module arrays : container = {
  type c [n] 'a = [n]a
  def wrap [n] 'a (xs: [n]a) = xs
  def get [n] 'a (i: i64) (xs: [n]a) = xs[i]
  def size [n] 'a (_: [n]a) = n
}
entry main (xs: []i32) = let c = arrays.wrap xs in (arrays.get 1 c, arrays.size c)
