-- ==
-- error: consuming|module type
module type counter = {
  type t
  val peek : t -> i32
}
module m : counter = {
  type t = [2]i32
  def peek (t: *t): i32 = (t with [0] = 1)[1]
}
