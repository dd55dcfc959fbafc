-- Sums down a few columns, whose elements lie side by side, written as reductions and as loops; and
-- maps, scans and histograms down them, which make rows.
-- ==
-- entry: sums
-- input { 0i64 3i64 } output { [0i64, 0i64, 0i64] }
-- input { 1i64 1i64 } output { [0i64] }
-- input { 300i64 0i64 } output { empty([0]i64) }
-- input { 300i64 1i64 } output { [44850i64] }
-- input { 300i64 3i64 } output { [134550i64, 134850i64, 135150i64] }

-- ==
-- entry: agree
-- input { 0i64 2i64 } output { true }
-- input { 1000i64 1i64 } output { true }
-- input { 1000i64 2i64 } output { true }
-- input { 999i64 15i64 } output { true }
-- input { 65i64 17i64 } output { true }
-- input { 63i64 200i64 } output { true }
-- input { 4097i64 33i64 } output { true }

def matrix (n: i64) (m: i64) : [n][m]i64 = unflatten (iota (n * m))

entry sums (n: i64) (m: i64) : []i64 =
  let a = matrix n m
  in map (\i -> i64.sum (map (\j -> a[j, i]) (iota n))) (iota m)

entry agree (n: i64) (m: i64) : bool =
  let a = map (map (\x -> f32.i64 (x * x % 1009) * 0.1f32)) (matrix n m)
  let is = map (map (\x -> x * x % 1009)) (matrix n m)
  let by_reduction = map (\i -> i64.sum (map (\j -> is[j, i]) (iota n))) (iota m)
  let by_loop = map (\i -> loop s = 0i64 for j < n do s + is[j, i]) (iota m)
  let by_rows = reduce (map2 (+)) (replicate m 0) is
  let floats = map (\i -> f32.sum (map (\j -> a[j, i]) (iota n))) (iota m)
  let columns = map f32.sum (transpose a)
  in and (map2 (==) by_reduction by_loop) && and (map2 (==) by_reduction by_rows)
     && and (map2 (==) floats columns)

-- ==
-- entry: rows_agree
-- input { 0i64 2i64 } output { true }
-- input { 1000i64 0i64 } output { true }
-- input { 1000i64 1i64 } output { true }
-- input { 1000i64 2i64 } output { true }
-- input { 999i64 7i64 } output { true }
-- input { 999i64 15i64 } output { true }
-- input { 65i64 16i64 } output { true }
-- input { 63i64 200i64 } output { true }
-- input { 4097i64 3i64 } output { true }
entry rows_agree (n: i64) (m: i64) : bool =
  let a = map (map (\x -> f32.i64 (x * x % 1009) * 0.1f32)) (matrix n m)
  let scaled = map (map (* 3)) (transpose a)
  let prefixes = map (scan (+) 0) (transpose a)
  let bins = map (\c -> hist (+) 0i32 10 (map (\x -> i64.f32 x % 10) c) (map (const 1) c))
                 (transpose a)
  let column j = map (\i -> a[i, j]) (iota n)
  let is_row (j: i64) =
    and (map2 (==) scaled[j] (map (* 3) (column j)))
    && and (map2 (==) prefixes[j] (scan (+) 0 (column j)))
    && and (map2 (==) bins[j]
                      (map (\b -> i32.sum (map (\x -> i32.bool (i64.f32 x % 10 == b)) (column j)))
                           (iota 10)))
  in and (map is_row (iota m))

-- ==
-- entry: thin_agree
-- input { 0i64 2i64 } output { true }
-- input { 2i64 0i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 1000i64 1i64 } output { true }
-- input { 999i64 7i64 } output { true }
-- input { 999i64 8i64 } output { true }
-- input { 70i64 11i64 } output { true }
-- input { 70i64 12i64 } output { true }
-- input { 1i64 1000i64 } output { true }
-- input { 11i64 333i64 } output { true }
-- input { 12i64 333i64 } output { true }
-- input { 63i64 100i64 } output { true }
-- input { 64i64 100i64 } output { true }
entry thin_agree (n: i64) (m: i64) : bool =
  let a = map (map (\x -> f32.i64 (x * x % 1009) * 0.1f32)) (matrix n m)
  let neutral = replicate m 0
  let row_sums = reduce (map2 (+)) neutral a
  let column_sums = map2 (\ne c -> reduce (+) ne c) neutral (transpose a)
  let row_prefixes = scan (map2 (+)) neutral a
  let column_prefixes = map2 (\ne c -> scan (+) ne c) neutral (transpose a)
  let squares = scan (map2 f32.max) (replicate m f32.lowest) (map (map (\x -> x * x - 50)) a)
  let pairs = scan (\x y -> map2 (\(p, q) (r, s) -> (p + r, i64.max q s)) x y)
                   (replicate m (0, i64.lowest))
                   (map (\i -> map (\j -> (a[i, j], i * j % 17)) (iota m)) (iota n))
  let column j = map (\i -> a[i, j]) (iota n)
  let is_column (j: i64) =
    and (map2 (==) (map (\i -> squares[i, j]) (iota n))
                   (scan f32.max f32.lowest (map (\x -> x * x - 50) (column j))))
    && and (map2 (==) (map (\i -> pairs[i, j].1) (iota n))
                      (scan i64.max i64.lowest (map (\i -> i * j % 17) (iota n))))
    && and (map2 (==) (map (\i -> pairs[i, j].0) (iota n)) (scan (+) 0 (column j)))
  in and (map2 (==) row_sums column_sums)
     && and (map2 (\x y -> and (map2 (==) x y)) row_prefixes (transpose column_prefixes))
     && and (map is_column (iota m))
