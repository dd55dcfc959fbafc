-- ==
-- error: regarding consuming
module sorter
  : {
      val sorted [n] : [n]i32 -> [n]i32
    } = {
  def sorted [n] (xs: *[n]i32) : [n]i32 = xs with [0] = 0
}
