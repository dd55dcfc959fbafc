-- ==
-- input { [3, 1, 2, 5, 4, 9, 7, 8] } output { 39 }
def tree_sum [n] (xs: [n]i32): i32 =
  if n == 0 then 0 else if n == 1 then xs[0]
  else tree_sum xs[:n / 2] + tree_sum xs[n / 2:]
entry main (xs: []i32) = tree_sum xs
