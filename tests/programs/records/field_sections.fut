-- ==
-- input { [1, 2, 3] } output { [2, 4, 6] [1, 2, 3] }
entry main [n] (xs: [n]i32) =
  let rs = map (\x -> {value = x, twice = {amount = 2 * x}}) xs
  in (map (.twice.amount) rs, map (.value) rs)
