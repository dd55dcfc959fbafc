-- A specification's sizes may be computed from another member; in the module that matches they are
-- computed from its own.
-- ==
-- input { 10i64 } output { [0u8, 0u8] 2i64 }
def capacity (bits: i64) (n: i64): i64 = (n + bits - 1) / bits
module type bit_sets = {
  type t
  val num_bits : i64
  val empty : (n: i64) -> *[capacity num_bits n]t
  val words [n] : [capacity num_bits n]t -> i64
}
module bit_sets (I: integral) : bit_sets with t = I.t = {
  type t = I.t
  def num_bits = i64.i32 I.num_bits
  def empty (n: i64): *[capacity num_bits n]t = replicate (capacity num_bits n) (I.i32 0)
  def words [n] (xs: [capacity num_bits n]t): i64 = length xs
}
module bytes = bit_sets u8
entry main (n: i64) = let xs = bytes.empty n in (xs, bytes.words xs)
