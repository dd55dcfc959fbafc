-- ==
-- input { 3 } output { 4 }
module type s = { type t val make : t -> *t val use : *t -> t }
module m : s with t = i32 = {
  type t = i32
  def make (x: t): t = x + 1
  def use (x: t): t = x
}
def main (x: i32): i32 = m.use (m.make x)
