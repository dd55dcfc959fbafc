-- ==
-- input { 5 } output { 7 }
module type counter = {
  type t
  val zero : t
  val next : t -> t
  val value : t -> i32
}
module plain_counter : counter = {
  type t = i32
  def zero = 0i32
  def next (x: i32) = x + 1
  def value (x: i32) = x
  def hidden = 42i32
}
entry main (x: i32) = x + plain_counter.value (plain_counter.next (plain_counter.next plain_counter.zero))
