-- Where the greatest and the first of their kind stand, of rows of numbers.

def best [n] (xs: [n]f32) : (f32, i64) =
  let better (a, i) (b, j) = if a > b || (a == b && i < j) then (a, i) else (b, j)
  in reduce_comm better (-f32.inf, n) (zip xs (iota n))

-- ==
-- entry: greatest
-- unlawful input { [[1f32, 3f32, 3f32], [f32.nan, 1f32, 2f32], [-f32.inf, -f32.inf, -f32.inf]] }
-- output { [3f32, 2f32, -f32.inf] [1i64, 2i64, 0i64] }
-- unlawful input { empty([2][0]f32) } output { [-f32.inf, -f32.inf] [0i64, 0i64] }
entry greatest (xss: [][]f32) : ([]f32, []i64) = unzip (map best xss)

-- Columns, which lanes have side by side.
-- ==
-- entry: of_columns
-- input { 100i64 50i64 } output { true }
entry of_columns (n: i64) (m: i64) : bool =
  let at i j = f32.i64 ((37 * i + 11 * j) % 23)
  let xss = tabulate_2d m n (\j i -> at i j)
  let found = map (\xs -> (best xs).1) (transpose xss)
  let want = tabulate n (\i ->
    (loop (b, k) = (-1, 0) for j < m do if at i j > b then (at i j, j) else (b, k)).1)
  in and (map2 (==) found want)

-- None is as great as there is.
-- ==
-- entry: first_above
-- input { [[1f32, 3f32], [4f32, 5f32], [0f32, 1f32]] 2f32 }
-- output { [1i64, 0i64, 2i64] [1i64, 0i64, 9223372036854775807i64] [1i64, 1i64, -9223372036854775808i64] }
-- input { empty([1][0]f32) 2f32 }
-- output { [9223372036854775807i64] [9223372036854775807i64] [-9223372036854775808i64] }
entry first_above [m] [n] (xss: [m][n]f32) (limit: f32) : ([m]i64, [m]i64, [m]i64) =
  unzip3 (map (\xs ->
    ( i64.minimum (map2 (\i x -> if x > limit then i else n) (iota n) xs)
    , i64.minimum (map2 (\i x -> if x > limit then i else i64.highest) (iota n) xs)
    , i64.maximum (map2 (\i x -> if x > limit then i else i64.lowest) (iota n) xs))) xss)
