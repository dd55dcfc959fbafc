-- ==
-- input { [1, -2, 3] } output { 2i64 [1, 3] }
entry main (xs: []i32) =
  let [k] (ys: [k]i32) = filter (> 0) xs
  in (k, ys)
