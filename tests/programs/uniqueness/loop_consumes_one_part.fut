-- ==
-- input { [4, 5, 6] } output { [4, 4, 4] 15 }
def main [n] (xs: [n]i32): ([n]i32, i32) =
  let first = xs[0]
  in loop (ys, sum) = (copy xs, 0) for i < n do
       let sum = sum + ys[i]
       in (ys with [i] = first, sum)
