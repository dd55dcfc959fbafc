-- ==
-- input { [1, 2, 3, 4] } output { [20, 40] }
entry main (xs: []i32) =
  let rs = map (\x -> {key = x, value = x * 10}) xs
  in map (.value) (filter (\r -> r.key % 2 == 0) rs)
