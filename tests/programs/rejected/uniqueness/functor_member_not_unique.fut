-- ==
-- error: aliased to "x"
module type box = {
  type t
  val id : t -> t
}
module use (b: box) = {
  def give (x: b.t): *b.t = b.id x
}
