-- A tuple is a record with numeric fields.
-- ==
-- input { } output { 1 2.0 }
entry main =
  let r = {0 = 1i32, 1 = 2f64}
  let (a, b) = r
  in (a, b)
