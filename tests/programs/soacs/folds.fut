-- ==
-- input { [1, 2, 3] } output { 123 321 }
entry main (xs: []i32) = (foldl (\a x -> a * 10 + x) 0 xs, foldr (\x a -> a * 10 + x) 0 xs)
