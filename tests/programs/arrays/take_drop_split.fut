-- ==
-- input { [1, 2, 3, 4, 5] } output { [1, 2] [3, 4, 5] [1, 2, 3] [4, 5] }
entry main (xs: [5]i32) =
  let (a, b) = split (xs :> [3 + 2]i32)
  in (take 2 xs, drop 2 xs, a, b)
