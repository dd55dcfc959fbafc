-- Products of matrices that are used on the way, and such that are sums of rows: large enough for
-- blocks.
-- ==
-- entry: greatest
-- input { 20 130 140 } output { 13434 }
-- entry: sums
-- input { 20 130 140 } output { true }
-- entry: by_rows
-- input { 20 130 140 } output { true }

def a (n: i64) (m: i64) : [n][m]i32 = tabulate_2d n m (\i k -> i32.i64 ((i * 7 + k * 3) % 11))
def b (m: i64) (p: i64) : [m][p]i32 = tabulate_2d m p (\k j -> i32.i64 ((k * 5 + j * 2) % 13))
def product [n] [m] [p] (a: [n][m]i32) (b: [m][p]i32) : [n][p]i32 =
  map (\row -> map (\column -> i32.sum (map2 (*) row column)) (transpose b)) a
def floats [n] [m] (a: [n][m]i32) : [n][m]f32 = map (map (\x -> f32.i32 x / 8)) a

-- The numbers of rows and columns are in it.
entry greatest (n: i64) (m: i64) (p: i64) : i32 =
  let c = product (a n m) (b m p)
  in i32.maximum (map2 (\i row -> i * 500 + i32.maximum row) (map i32.i64 (iota n)) c)

-- Eighths are exact: every order gives the same.
entry sums (n: i64) (m: i64) (p: i64) : bool =
  let c = map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose (floats (b m p)))) (floats (a n m))
  let expected = map (\row -> f32.i32 (i32.sum row) / 64) (product (a n m) (b m p))
  in and (map2 (==) (map f32.sum c) expected)

entry by_rows (n: i64) (m: i64) (p: i64) : bool =
  let (x, y) = (a n m, b m p)
  let c = map (\row -> loop sum = replicate p 0 for k < m do map2 (\s e -> s + row[k] * e) sum y[k]) x
  in and (map2 (\r q -> and (map2 (==) r q)) c (product x y))
