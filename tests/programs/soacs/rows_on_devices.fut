-- Rows that are kept, and rows that are added up: what devices do by columns.
def table (n: i64) (m: i64) : [n][m]f32 =
  tabulate_2d n m (\i k -> f32.i64 ((i * 7919 + k * 104729) & 1023 << (k & 15)) / 7)

-- ==
-- entry: kept
-- input { [[1.0f32, 2.0f32], [0.25f32, 3.0f32], [5.0f32, 6.0f32]] }
-- output { [[1.0f32, 2.0f32], [5.0f32, 6.0f32]] }
-- input { empty([0][2]f32) } output { empty([0][2]f32) }
entry kept [n] [m] (xss: [n][m]f32) = filter (\xs -> xs[0] > 0.5) xss

-- ==
-- entry: kept_sums
-- input { 0i64 3i64 } output { 0i64 true }
-- input { 100i64 30i64 } output { 50i64 true }
-- input { 700i64 3i64 } output { 350i64 true }
entry kept_sums (n: i64) (m: i64) =
  let xss = zip (indices (table n m)) (table n m)
  let (is, yss) = unzip (filter (\(i, _) -> i % 2 == 0) (map (\(i, xs) -> (i, map (* 2) xs)) xss))
  in (length is,
      and (map2 (\i ys -> ys == map (\x -> x * 2) (table n m)[i]) is yss))

-- ==
-- entry: kept_matrices
-- input { 40i64 3i64 5i64 } output { true }
entry kept_matrices (n: i64) (m: i64) (l: i64) =
  let xsss = tabulate_3d n m l (\i j k -> i * 100 + j * 10 + k)
  let ysss = filter (\xss -> xss[0, 0] % 300 == 0) xsss
  in and (map2 (\t yss -> yss == xsss[3 * t]) (indices ysss) ysss)

-- A reduction of rows is, to the last bit, that of each column.
-- ==
-- entry: added_up
-- unlawful input { 0i64 3i64 } output { true }
-- unlawful input { 5i64 300i64 } output { true }
-- unlawful input { 300i64 3i64 } output { true }
-- unlawful input { 9000i64 2i64 } output { true }
-- unlawful input { 70i64 70i64 } output { true }
entry added_up (n: i64) (m: i64) =
  let xss = table n m
  let sums = reduce (map2 (+)) (replicate m 0.5) xss
  in sums == map (reduce (+) 0.5) (transpose xss)

-- ==
-- entry: of_computed_rows
-- input { 100i64 30i64 } output { true }
entry of_computed_rows (n: i64) (m: i64) =
  let xss = table n m
  let ws = map (\i -> f32.i64 (i & 7)) (iota n)
  let sums = reduce (map2 (+)) (replicate m 0) (map2 (\w xs -> map (* w) xs) ws xss)
  in sums == map (\xs -> f32.sum (map2 (*) xs ws)) (transpose xss)

-- Lists of numbers too, with what they begin with a row of numbers.
-- ==
-- entry: greatest
-- unlawful input { 100i64 30i64 } output { true }
entry greatest (n: i64) (m: i64) =
  let xss = tabulate_2d n m (\i k -> (i * 7919 + k * 104729) & 1023)
  let least = map (+ 500) (iota m)
  let most = reduce (map2 i64.max) least xss
  in most == map2 (\l xs -> i64.max l (i64.maximum xs)) least (transpose xss)
