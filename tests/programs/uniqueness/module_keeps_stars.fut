-- ==
-- input { [1, 2] } output { [4, 2] }
module type writer = {
  type t
  val write : *t -> i32 -> *t
}
module arrays : writer with t = [2]i32 = {
  type t = [2]i32
  def write (t: *t) (x: i32): *t = t with [0] = x
}
def main (xs: *[2]i32): []i32 = arrays.write (arrays.write xs 3) 4
