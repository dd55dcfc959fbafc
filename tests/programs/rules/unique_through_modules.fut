-- ==
-- input { [3i32, 4] }
-- output { [0i32, 4] }

module m
  : {
      val clear [n] : *[n]i32 -> [n]i32
      val start [n] : *[n]i32 -> *[n]i32
    } = {
  def clear [n] (xs: [n]i32) : *[n]i32 = copy xs with [0] = 0
  def start [n] (xs: *[n]i32) = xs with [0] = 0
}

def main (xs: *[]i32) = m.start xs
