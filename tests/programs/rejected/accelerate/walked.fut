-- ==
-- error: this would be interpreted, element by element: a loop's arrays change their sizes
entry main [n] (ns: [n]i64): [n]i64 =
  #[accelerate] (map (\k -> i64.sum (loop xs = [] for i < k do xs ++ [i])) ns)
