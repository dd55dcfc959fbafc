-- ==
-- input { [[1, 2], [3, 4]] } output { [[1, 2], [30, 4]] }
entry main (xss: *[2][2]i32) =
  let xss[1, 0] = 30
  in xss
