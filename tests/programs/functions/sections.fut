-- ==
-- input { [5, 6] } output { [4, 5] [5, 4] [[5], [6]] [5, 6] }
entry main (xs: [2]i32) =
  (map (\x -> x - 1) xs, map (10 -) xs, map (\x -> [x]) xs, map (.[0]) (map (\x -> [x, 0]) xs))
