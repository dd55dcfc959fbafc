-- ==
-- input { [1, 2] } output { [10, 20] [15, 30] }
entry main [n] (a: [n]i32) =
  let b = map (* 2) a
  let c = map (* 3) a
  let d = map (* 4) a
  let e = map (* 5) a
  in (map4 (\p q r s -> p + q + r + s) a b c d, map5 (\p q r s t -> p + q + r + s + t) a b c d e)
