-- Products of matrices whose rows are made or weighted on the way, of sizes for which blocks pay.

def matmul [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a

def matrix (n: i64) (m: i64) (s: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * 13 + s * (i * j)) % 17 - 8))

def weights (n: i64) : [n]f32 = tabulate n (\i -> f32.i64 (i % 5) + 0.5)

-- One number for a matrix: any element that is another one shows.
def digest [n] [p] (c: [n][p]f32) : f64 =
  f64.sum (map2 (\i row -> f64.sum (map2 (\j x -> f64.f32 x * f64.i64 (i * 31 + j * 3 + 1)) (iota p) row))
                (iota n) c)

-- Each row has a number of its own, inside of the sum and behind it.
-- ==
-- entry: weighted
-- input { 37i64 50i64 41i64 }
-- output { true true }
entry weighted (n: i64) (m: i64) (p: i64) : (bool, bool) =
  let (a, b, w) = (matrix n m 1, matrix m p 2, weights n)
  let inside =
    map2 (\row s -> map (\column -> f32.sum (map2 (\x y -> s * x * y) row column)) (transpose b)) a w
  let behind =
    map2 (\row s -> map (\column -> s + f32.sum (map2 (*) row column)) (transpose b)) a w
  let each f = tabulate_2d n p (\i j -> f w[i] a[i] (transpose b)[j])
  in ( digest inside == digest (each (\s row column -> f32.sum (map (\k -> s * row[k] * column[k]) (iota m))))
     , digest behind == digest (each (\s row column -> s + f32.sum (map (\k -> row[k] * column[k]) (iota m)))) )

-- ==
-- entry: computed
-- input { 37i64 50i64 41i64 }
-- output { true true true }
-- input { 8i64 16i64 16i64 }
-- output { true true true }
-- input { 3i64 5i64 4i64 }
-- output { true true true }
entry computed (n: i64) (m: i64) (p: i64) : (bool, bool, bool) =
  let (a, b) = (matrix n m 3, matrix m p 4)
  let centred (row: [m]f32) = let mean = f32.sum row / f32.i64 m in map (\x -> x - mean) row
  let each (row_of: i64 -> [m]f32) = tabulate_2d n p (\i j -> f32.sum (map2 (*) (row_of i) b[:, j]))
  in ( digest (matmul (map centred a) b) == digest (each (\i -> copy (centred a[i])))
     , digest (matmul (map (map (f32.max 0)) a) b) == digest (each (\i -> map (f32.max 0) a[i]))
     , digest (matmul (map2 (\row i -> map2 (\x k -> x * f32.i64 (i - k)) row (iota m)) a (iota n)) b)
       == digest (each (\i -> map2 (\x k -> x * f32.i64 (i - k)) a[i] (iota m))) )

-- Layers: what a product's rows need is computed by another product before, and rows of a matrix are
-- columns on the way back, beside biases and what is taken off.
def layers [n] [m] [p] (xs: [n][m]f32) (w: [m][p]f32) (bias: [p]f32) : ([n][p]f32, [n][m]f32, [m][p]f32) =
  let hidden = map (map2 (+) bias) (matmul xs w)
  let positive = map (map (f32.max 0)) hidden
  let back = matmul positive (transpose w)
  let change = map2 (map2 (\x y -> if x > 0 then y / 1024 else x)) xs back
  in (positive, change, map2 (map2 (\x y -> x - y / 4096)) w (matmul (transpose xs) positive))

-- ==
-- entry: layered
-- input { 37i64 150i64 120i64 }
-- output { 136142226.90625823f64 -6388972.931580966f64 3201999.817737583f64 }
-- input { 7i64 150i64 120i64 }
-- output { 13568682.651686668f64 -445771.2766717039f64 3466982.605405839f64 }
-- long input { 270i64 150i64 120i64 }
-- output { 6603714292.4573765f64 -246818300.870128f64 2621766.775467105f64 }
-- input { 3i64 5i64 4i64 }
-- output { 1675.071372270584f64 -789.2668207557872f64 10.293119058012962f64 }
entry layered (n: i64) (m: i64) (p: i64) : (f64, f64, f64) =
  let xs = matrix n m 5
  let (a, b, c) = layers xs (map (map (/ 7)) (matrix m p 6)) (weights p)
  in (digest a, digest b, digest c)
