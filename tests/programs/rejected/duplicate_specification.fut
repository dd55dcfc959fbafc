-- ==
-- error: Duplicate definition
module type twice = {
  val v : i32
  val v : i32
}
