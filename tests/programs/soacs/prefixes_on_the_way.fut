-- Consumers of prefixes, which need no array of those.
-- ==
-- entry: mapped
-- input { [1i64, 2i64, 3i64] } output { [2i64, 6i64, 13i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry mapped (xs: []i64) = map2 (\i s -> s + i * i) (indices xs) (scan (+) 0 (map (+ 1) xs))
                           |> map (\s -> s - 0)
-- ==
-- entry: exclusive
-- input { [3i64, 1i64, 4i64] } output { [0i64, 3i64, 4i64] }
entry exclusive (xs: []i64) = map2 (-) (scan (+) 0 xs) xs
-- ==
-- entry: highest
-- input { [3i64, -5i64, 4i64, -1i64] } output { 3i64 }
entry highest (xs: []i64) = i64.maximum (scan (+) 0 xs)
-- ==
-- entry: both
-- input { [1i32, 2i32, 3i32] } output { [1i32, 3i32, 6i32] 10i32 }
entry both (xs: []i32) = let ss = scan (+) 0 xs in (ss, i32.sum ss)
-- ==
-- entry: of_pairs
-- input { [1i32, 2i32, 3i32] [2f32, 1f32, 4f32] } output { [3f32, 5f32, 14f32] }
entry of_pairs (xs: []i32) (ys: []f32) =
  map2 (\s p -> f32.i32 s + p) (scan (+) 0 xs) (scan (*) 1 ys)
-- ==
-- entry: rows
-- input { [[1i32, 2i32], [3i32, 4i32]] } output { [4i32, 10i32] }
entry rows (xss: [][]i32) = map (\xs -> i32.sum (scan (+) 0 xs)) xss

-- Long enough for several chunks: the sums of many sizes, in the order of folding.
-- ==
-- entry: long
-- input { 200000i64 } output { true }
entry long (n: i64) =
  let xs = map (\i -> f32.i64 (i * 7919 % 1013 - 500)) (iota n)
  let ss = scan (+) 0 xs
  let r = f32.sum (map2 (\s x -> s * 0.5 - x) ss xs)
  in r == f32.sum (map (\i -> ss[i] * 0.5 - xs[i]) (iota n))
-- ==
-- entry: long_exact
-- input { 300000i64 } output { 14999950000i64 300000i64 }
-- input { 0i64 } output { 0i64 -1i64 }
entry long_exact (n: i64) =
  let ss = scan (+) 0 (map (const 1i64) (iota n))
  in (i64.sum (map (/ 3) ss), if n == 0 then -1 else i64.maximum ss)
