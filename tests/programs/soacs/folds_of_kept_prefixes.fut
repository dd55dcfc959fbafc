-- Prefixes of what a filter keeps, of which only folds are needed.
-- ==
-- entry: highest
-- input { [3i64, -9i64, 4i64, 5i64, -3i64, 6i64] } output { 3i64 }
-- input { [-3i64, 1i64, -6i64] } output { -3i64 }
-- input { [1i64, 2i64] } output { -9223372036854775808i64 }
-- input { empty([0]i64) } output { -9223372036854775808i64 }
entry highest (xs: []i64) = xs |> filter (\x -> x % 3 == 0) |> scan (+) 0 |> i64.maximum
-- ==
-- entry: with_elements
-- input { [3i32, 1i32, 4i32, 1i32, 5i32] } output { 63i32 }
-- input { [2i32, 2i32] } output { 0i32 }
entry with_elements (xs: []i32) =
  let ys = filter (\x -> x != 1 && x != 2) xs
  in i32.sum (map2 (\s y -> s * (y - 1)) (scan (+) 0 ys) ys) - i32.sum ys + 0 * i32.i64 (length ys)
-- ==
-- entry: and_their_number
-- input { [3i8, 100i8, 100i8, -100i8, 7i8] } output { 3i64 -58i8 100i8 }
entry and_their_number (xs: []i8) =
  let ys = filter (> 5) xs
  let ss = scan i8.max i8.lowest ys
  in (length ys, i8.sum ss - 102, i8.maximum ss)
-- ==
-- entry: of_floats
-- input { [1.5f32, -1f32, 2.5f32] } output { 4f32 }
entry of_floats (xs: []f32) = xs |> filter (> 0) |> scan (+) 0 |> f32.maximum

-- Long enough for several chunks: the same as by a loop.
-- ==
-- entry: long
-- input { 300000i64 } output { true }
-- input { 100003i64 } output { true }
-- input { 17i64 } output { true }
entry long (n: i64) =
  let xs = map (\i -> i * 7919 % 1013 - 500) (iota n)
  let (_, most, all) =
    loop (sum, most, all) = (0, i64.lowest, 0) for x in xs do
      if x % 3 == 1 then (sum + x, i64.max most (sum + x), all ^ (sum + x)) else (sum, most, all)
  let ss = scan (+) 0 (filter (\x -> x % 3 == 1) xs)
  in (most, all) == (i64.maximum ss, reduce (^) 0 ss)
