-- ==
-- input { 2i64 } output { [3i64, 1i64] }
type result [n] = #some ([n]i64) | #none
def build (n: i64): *(result [n]) = #some (iota n)
def main (n: i64): []i64 =
  match build n
  case #some xs -> xs with [0] = 3
  case #none -> []
