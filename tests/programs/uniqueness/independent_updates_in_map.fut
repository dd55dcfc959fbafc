-- Each application of the function gets an array of its own.
-- ==
-- input { [10, 20] } output { [[10, 0], [20, 0]] }
entry main (xs: []i32) =
  map (\x -> let a = replicate 2 0 let a[0] = x in a) xs
