-- ==
-- error: may not be higher-order
module hidden
  : {
      type^ action
      val nothing : action
    } = {
  type^ action = i32 -> i32
  def nothing (x: i32) = x
}

entry what_to_do (x: i32) = (x, hidden.nothing)
