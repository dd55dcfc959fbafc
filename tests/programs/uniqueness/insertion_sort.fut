-- ==
-- input { [5, 2, 9, 1, 5] } output { [1, 2, 5, 5, 9] }
def insertion_sort [n] (xs: *[n]i32): *[n]i32 =
  loop xs for i < n do
    (loop (xs, j) = (xs, i) while j > 0 && xs[j - 1] > xs[j] do
       let a = xs[j - 1]
       let b = xs[j]
       in ((xs with [j - 1] = b) with [j] = a, j - 1)).0
entry main (xs: *[]i32) = insertion_sort xs
