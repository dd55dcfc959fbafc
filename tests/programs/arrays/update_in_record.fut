-- ==
-- input { [1, 2, 3] } output { [1, 5, 3] 0 }
entry main (xs: *[]i32) =
  let r = {data = xs, count = 0i32}
  let r = r with data[1] = 5
  in (r.data, r.count)
