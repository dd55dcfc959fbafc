-- The classic operator that restarts at flags.
-- ==
-- input { [true, false, true, false, false] [1, 2, 3, 4, 5] } output { [1, 3, 3, 7, 12] }
entry main [n] (flags: [n]bool) (xs: [n]i32) =
  let op (f1, x1) (f2, x2) = (f1 || f2, if f2 then x2 else x1 + x2)
  in (unzip (scan op (false, 0) (zip flags xs))).1
