-- Folds of short rows, which are folds of their elements: rows that are read and rows that are made,
-- of known lengths and of lengths that turn out to be short.
-- ==
-- entry: sums
-- input { 1000i64 }
-- output { [499500f32, 166167008f32, 1500f32] }
-- entry: positions
-- input { 1000i64 }
-- output { [4995i64, 999i64, 7i64] }
-- entry: prefixes
-- input { 1000i64 }
-- output { [[0i64, 0i64], [1i64, 1i64], [3i64, 5i64]] [499500i64, 332833500i64] }
-- entry: of_length
-- input { 1000i64 3i64 }
-- output { [1000i64, 499500i64, 332833500i64] }
-- input { 1000i64 1i64 }
-- output { [1000i64] }
-- input { 1000i64 20i64 }
-- output { [1000i64, 499500i64, 332833500i64, 249500250000i64, 199500333333300i64,
--           166167083333250000i64, -5216309732700222428i64, 3507579575902893616i64,
--           9009984296007551284i64, -6292078949567939056i64, 1878055182741077060i64,
--           -310627701973402896i64, -1147117835721935148i64, -1083712728888528176i64,
--           -5517009417960677660i64, 6407095774017274288i64, 2584701966685910132i64,
--           -5343473430741283952i64, 6743622929239842692i64, -729969296519195536i64] }
-- entry: beside_a_number
-- input { 1000i64 }
-- output { [0i64, 999i64] 499500i64 }
-- entry: inside
-- input { 100i64 }
-- output { 495000f64 }
-- entry: empty
-- input { 0i64 }
-- output { [1i64, 2i64] }
-- entry: from_the_end
-- unlawful input { 64i64 10i64 }
-- output { true }
-- unlawful input { 63i64 10i64 }
-- output { true }
-- unlawful input { 64i64 40i64 }
-- output { true }
-- unlawful input { 65i64 40i64 }
-- output { true }
-- entry: bins_from_the_end
-- unlawful input { 12i64 }
-- output { [[11i64, 10i64, 9i64, 8i64, 7i64, 6i64, 5i64, 4i64, 3i64, 2i64, 1i64, 0i64],
--           [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64, 12i64]] }
-- entry: one_or_the_other
-- unlawful input { 12i64 9i64 }
-- output { [8i64, 7i64, 6i64, 5i64, 4i64, 3i64, 2i64, 1i64, 0i64] }
-- unlawful input { 15i64 9i64 }
-- output { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64] }

entry sums (n: i64): [3]f32 =
  reduce (map2 (+)) [0, 0, 0] (tabulate n (\i -> let x = f32.i64 i in [x, x * x / 2, 1.5]))

-- | An operator that takes elements by their positions.
entry positions (n: i64): [3]i64 =
  reduce (\a b -> [a[0] + b[0], i64.max a[1] b[1], i64.min a[2] b[2]]) [0, i64.lowest, i64.highest]
         (tabulate n (\i -> [i % 11, i, 1006 - i]))

entry prefixes (n: i64): ([][2]i64, [2]i64) =
  let p = scan (map2 (+)) [0, 0] (tabulate n (\i -> [i, i * i]))
  in (take 3 p, p[n - 1])

entry of_length (n: i64) (m: i64): [m]i64 =
  reduce (map2 (+)) (replicate m 0) (tabulate_2d n m (\i j -> i ** j))

entry beside_a_number (n: i64): ([2]i64, i64) =
  reduce (\(r, a) (s, b) -> ([i64.min r[0] s[0], i64.max r[1] s[1]], a + b))
         ([i64.highest, i64.lowest], 0) (tabulate n (\i -> ([i, i], i)))

entry inside (n: i64): f64 =
  f64.sum (tabulate n (\i -> let r = reduce (map2 (+)) [0, 0] (tabulate n (\j -> [f64.i64 j, f64.i64 i]))
                             in r[0] / 2 + r[1] / 2))

entry empty (n: i64): [2]i64 =
  reduce (map2 (+)) [1, 2] (tabulate n (\i -> [i, i]))

-- | An operator that gives what it is given, looked at from its end.
entry from_the_end (n: i64) (m: i64): bool =
  let rows = tabulate_2d n m (\i j -> i * 100 + j)
  let last = if n % 2 == 0 then iota m else reverse (iota m)
  let known = [1i64, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  let last_known = if n % 2 == 0 then known else reverse known
  in reduce (\a _ -> reverse a) (iota m) rows == last
     && (scan (\a _ -> reverse a) (iota m) rows)[n - 1] == last
     && (m != 10
         || ((scan (\a _ -> reverse a) known (rows :> [n][10]i64))[n - 1] == last_known
             && reduce (\a _ -> reverse a) known (rows :> [n][10]i64) == last_known))

-- | The same of bins: one is hit three times, the other one twice.
entry bins_from_the_end (m: i64): [2][m]i64 =
  reduce_by_index (tabulate_2d 2 m (+)) (\a _ -> reverse a) (replicate m 0)
                  [0, 1, 0, 1, 0] (replicate 5 (iota m))

-- | Or as it is: every second time from its end.
entry one_or_the_other (n: i64) (m: i64): [m]i64 =
  reduce (\a b -> if b[0] % 4 == 2 then reverse a else a) (iota m) (tabulate_2d n m (\i _ -> i))
