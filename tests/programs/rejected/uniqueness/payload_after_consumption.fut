-- ==
-- error: "s".*consumed
type shape [n] = #box ([n]i64) | #none
def main [n] (s: *(shape [n])): i64 =
  match s
  case #box xs ->
    let ys = xs with [0] = 1
    in ys[0] + (match s case #box zs -> zs[0] case #none -> 0)
  case #none -> 0
