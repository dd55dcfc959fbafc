-- ==
-- input { [1, 2] } output { [[9, 2], [1, 2]] }
entry main [n] (xs: [n]i32) =
  let a = copy xs
  let b = copy a
  let a[0] = 9
  in [a, b]
