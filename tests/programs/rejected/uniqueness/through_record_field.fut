-- ==
-- error: "pair".*consumed
def main (n: i64): i64 =
  let pair = {left = iota n, right = iota n}
  let left = pair.left with [0] = 1
  in left[0] + pair.left[0]
