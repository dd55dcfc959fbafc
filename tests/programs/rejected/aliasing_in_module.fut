-- ==
-- error: incompatible uniqueness
module copier
  : {
      val fresh [n] : [n]i32 -> *[n]i32
    } = {
  def fresh [n] (xs: [n]i32) : [n]i32 = xs
}
