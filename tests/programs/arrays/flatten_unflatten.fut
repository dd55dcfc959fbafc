-- ==
-- input { [[1, 2, 3], [4, 5, 6]] } output { [1, 2, 3, 4, 5, 6] [[1, 2], [3, 4], [5, 6]] }
entry main (xss: [2][3]i32) =
  let xs = flatten xss
  in (xs, unflatten (xs :> [3 * 2]i32))
