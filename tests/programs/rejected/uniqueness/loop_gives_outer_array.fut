-- ==
-- error: "xs" aliases "other"
def main (other: *[]i32): i32 =
  let xs = copy other
  let ys = loop xs for i < 2 do
    let xs[i] = 0
    in other
  in ys[0]
