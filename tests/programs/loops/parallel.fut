-- Loops that are marked mean what they mean without the mark.

-- ==
-- entry: places
-- input { [2i64, 0, 3] [4f32, 9, 16, 25] } output { [5f32, 9, 9, 11] }
-- input { empty([0]i64) [4f32] } output { [4f32] }
entry places [n] [k] (ps: [n]i64) (xs: *[k]f32): [k]f32 =
  #[parallel] loop xs for p in ps do xs with [p] = f32.sqrt xs[p] * 2 + 1

-- ==
-- entry: some_places
-- input { [2i64, 0, 3] [4i64, 9, 16, 25] } output { [1i64, 9, 4, 25] }
entry some_places [n] [k] (ps: [n]i64) (xs: *[k]i64): [k]i64 =
  #[parallel] loop xs for p in ps do
    if xs[p] % 2 == 0 then xs with [p] = xs[p] / 4 else xs

-- ==
-- entry: elements_of_rows
-- input { [1i64, 0] [[1i64, 2], [3, 4], [5, 6]] } output { [[8i64, 2], [12, 4], [5, 6]] }
entry elements_of_rows [n] [k] [m] (ps: [n]i64) (xs: *[k][m]i64): [k][m]i64 =
  #[parallel] loop xs for i < n do
    xs with [ps[i], 0] = xs[ps[i], 0] * 2 + 6

-- ==
-- entry: rows
-- input { [1i64, 0] [[1i64, 2], [3, 4], [5, 6]] } output { [[1i64, 3], [3, 7], [5, 6]] }
entry rows [n] [k] [m] (ps: [n]i64) (xs: *[k][m]i64): [k][m]i64 =
  #[parallel] loop xs for i < n do
    let row = copy xs[ps[i]]
    in xs with [ps[i]] = scan (+) 0 row

-- ==
-- entry: folds
-- input { [3i64, -1, 7] } output { 9i64 7i64 -5i64 }
entry folds [n] (xs: [n]i64): (i64, i64, i64) =
  #[parallel] loop (sum, most, bits) = (0, i64.lowest, 0) for x in xs do
    (sum + x, i64.max x most, bits ^ x)

-- ==
-- entry: bins
-- input { [0i64, 2, 2, 0, 2] } output { [2i64, 0, 3] 6i64 }
entry bins [n] (bs: [n]i64): ([3]i64, i64) =
  #[parallel] loop (hs, sum) = (replicate 3 0, 0) for b in bs do
    (hs with [b] = hs[b] + 1, sum + b)

-- ==
-- entry: nest
-- input { [[1i64, 2], [3, 4]] } output { [[2i64, 4], [6, 8]] }
-- input { [[1i64], [3]] } output { [[2i64], [6]] }
entry nest [n] [m] (xs: *[n][m]i64): [n][m]i64 =
  #[parallel] loop xs for i < n do
    #[parallel] loop xs for j < m do
      xs with [i, j] = xs[i, j] * 2

-- What belongs into no SOAC's body by itself.
-- ==
-- entry: of_filters
-- input { [[1i64, -2], [3, 4]] } output { [1i64, 7] }
entry of_filters [n] [m] (xs: [n][m]i64): [n]i64 =
  #[parallel] loop ys = replicate n 0 for i < n do
    ys with [i] = i64.sum (filter (> 0) xs[i])

-- ==
-- entry: in_map
-- input { [[1i64, 2], [3, 4]] } output { [[2i64, 2], [6, 4]] }
entry in_map [n] [m] (xs: [n][m]i64): [n][m]i64 =
  map (\row -> #[parallel] loop ys = copy row for p in [0i64] do ys with [p] = ys[p] * 2) xs

-- ==
-- entry: records
-- input { [1i64, 0] [5i64, 6] [7i64, 8] } output { [12i64, 14] [6i64, 7] }
entry records [n] (ps: [n]i64) (xs: [n]i64) (ys: [n]i64): ([n]i64, [n]i64) =
  unzip (#[parallel] loop zs = zip xs ys for p in ps do
           zs with [p] = (zs[p].0 + zs[p].1, zs[p].1 - 1))


-- ==
-- entry: differences
-- input { [1i64, 0, 1] } output { 98i64 [19i64, 18] }
entry differences [n] (bs: [n]i64): (i64, [2]i64) =
  #[parallel] loop (rest, hs) = (100, replicate 2 20) for b in bs do
    (rest - b, hs with [b] = hs[b] - 1)

-- Rows that some rounds leave.
-- ==
-- entry: rows_of_some_rounds
-- input { [1i64, -2, 3] 2i64 } output { [[1i64, 2], [9, 9], [3, 4]] }
-- input { empty([0]i64) 2i64 } output { empty([0][2]i64) }
-- input { [-1i64] 0i64 } output { empty([1][0]i64) }
entry rows_of_some_rounds [n] (xs: [n]i64) (m: i64): [n][m]i64 =
  #[parallel] loop ys = replicate n (replicate m 9) for i < n do
    if xs[i] > 0 then ys with [i] = map (+ xs[i]) (iota m) else ys

-- The same of an array whose rows are as many as there are rounds, which only the types say; and of
-- records, elements and rows.
-- ==
-- entry: rows_left
-- input { [true, false, true] [[1i64, 2], [3, 4], [5, 6]] }
-- output { [[0i64, 0], [3, 4], [2, 2]] }
-- input { empty([0]bool) empty([0][2]i64) } output { empty([0][2]i64) }
entry rows_left [n] [m] (cs: [n]bool) (xss: [n][m]i64): [n][m]i64 =
  #[parallel] loop yss = copy xss for i < n do
    if cs[i] then yss with [i] = replicate m i else yss

-- ==
-- entry: records_left
-- input { [0.25f32, 4, 9] [1i64, 2, 3] } output { [0f32, 2, 3] [1i64, 1, 2] }
entry records_left [n] (xs: [n]f32) (ks: [n]i64): ([n]f32, [n]i64) =
  unzip (#[parallel] loop ys: *[n](f32, i64) = zip (replicate n 0) ks for i < n do
           if xs[i] > 1 then ys with [i] = (f32.sqrt xs[i], i) else ys)

-- ==
-- entry: rows_of_records
-- input { [1f32, -1] } output { [[1f32, 1], [0, 0]] [[0i64, 0], [-1, -1]] }
entry rows_of_records [n] (xs: [n]f32): ([n][2]f32, [n][2]i64) =
  let zss = #[parallel] loop yss: *[n][2](f32, i64) = replicate n (replicate 2 (0, -1)) for i < n do
              if xs[i] > 0 then yss with [i] = replicate 2 (xs[i], i) else yss
  in unzip (map unzip zss)

-- ==
-- entry: best
-- input { [3f32, 7, 7, 1] } output { 7f32 1i64 }
-- input { empty([0]f32) } output { -1f32 -1i64 }
entry best [n] (xs: [n]f32): (f32, i64) =
  #[parallel] loop (most, at) = (-1, -1) for i < n do
    if xs[i] > most then (xs[i], i) else (most, at)

-- What is the same after each round.
-- ==
-- entry: the_same
-- input { [1i64, 2] 7i64 } output { 7i64 3i64 }
-- input { empty([0]i64) 7i64 } output { 1i64 0i64 }
entry the_same [n] (xs: [n]i64) (k: i64): (i64, i64) =
  #[parallel] loop (a, s) = (1, 0) for i < n do (k, s + xs[i])
