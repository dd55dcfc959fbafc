-- ==
-- input { } output { true false false }
type t = #a i32 | #b
entry main =
  let x: t = #a 1
  in (x == #a 1, x == #a 2, x == #b)
