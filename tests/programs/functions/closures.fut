-- ==
-- input { 10 [1, 2] } output { [11, 12] [21, 22] }
entry main (a: i32) (xs: []i32) =
  let f x = x + a
  let a = a * 2
  in (map f xs, map (\x -> x + a) xs)
