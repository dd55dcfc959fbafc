-- ==
-- error: do not match
def f [n] (xs: [n]i32) =
  let g [m] (a: [m]i32) (b: [m]i32) = zip a b
  in g xs (iota 3 |> map i32.i64)
