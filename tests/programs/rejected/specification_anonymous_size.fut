-- ==
-- error: non-anonymous
module type shapes = {
  val rows : [][]f32 -> i64
}
