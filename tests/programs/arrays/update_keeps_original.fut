-- An update never changes an array that somebody else still sees.
-- ==
-- input { [1, 2, 3] } output { [1, 2, 3] [9, 2, 3] }
entry main (xs: []i32) =
  let ys = copy xs
  let ys[0] = 9
  in (xs, ys)
