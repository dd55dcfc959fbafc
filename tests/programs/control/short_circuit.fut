-- The right operand is not evaluated when the left one decides.
-- ==
-- input { [1] 5i64 } output { false true }
entry main [n] (xs: [n]i32) (i: i64) =
  (i < n && xs[i] == 1, i >= n || xs[i] == 1)
