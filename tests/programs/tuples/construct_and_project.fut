-- ==
-- input { 1 2.0 } output { 2.0 1 3 }
entry main (a: i32) (b: f64) =
  let pair = (a, b)
  let nested = ((1, 2), (3, 4))
  in (pair.1, pair.0, nested.1.0)
