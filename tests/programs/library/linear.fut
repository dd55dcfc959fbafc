-- `import "sinter/linear"`: what factors and solutions must satisfy, within what is claimed.

import "sinter/linear"
import "sinter/random"

def norm (xs: []f64) : f64 = f64.sqrt (f64.sum (map (\x -> x * x) xs))
def size [n] [m] (a: [n][m]f64) : f64 = norm (flatten a)
def less [n] [m] (a: [n][m]f64) (b: [n][m]f64) : [n][m]f64 = map2 (map2 (-)) a b

def matrix (n: i64) (m: i64) : [n][m]f64 =
  unflatten (map (\x -> x - 0.5) (random.uniform (n * m) (random.seed (n + m))))
def vector (n: i64) : [n]f64 = random.normal n (random.seed n)

def sizes : []i64 = [1, 2, 3, 7, 33, 70]
def bound (n: i64) : f64 = f64.i64 n * f64.epsilon

-- ==
-- entry: elimination
-- input { }
-- output { true }
entry elimination : bool =
  all (\n ->
         let (a, b) = (matrix n n, vector n)
         let f = linear.lu a
         let magnitudes = map (map f64.abs)
         let rows = map (\i -> a[i]) f.order
         let grown = size (linear.product (magnitudes f.lower) (magnitudes f.upper))
         let x = linear.solve a b
         let many = linear.solve_matrix a (transpose [b, vector n])
         in size (less (linear.product f.lower f.upper) rows) <= bound n * grown
            && norm (map2 (-) (linear.apply a x) b) <= 3 * bound n * size a * norm x
            && and (map2 (==) (transpose many)[0] x)
            && size (less (linear.product a (linear.inverse a)) (linear.identity n))
               <= 3 * bound n * size a * size (linear.inverse a)
            && all (>= 0) f.order && i64.sum f.order == n * (n - 1) / 2)
      sizes

-- Rows are in need of swaps, and a matrix that is singular.
-- ==
-- entry: pivots
-- input { [[0f64, 2f64, 1f64], [1f64, 0f64, 0f64], [0f64, 0f64, 5f64]] [3f64, 1f64, 5f64] }
-- output { [1f64, 1f64, 1f64] -10f64 }
-- input { [[1e-20, 1f64], [1f64, 1f64]] [1f64, 2f64] }
-- output { [1f64, 1f64] -1f64 }
entry pivots [n] (a: [n][n]f64) (b: [n]f64) : ([n]f64, f64) =
  (linear.solve a b, linear.determinant a)

-- ==
-- entry: singular
-- input { [[1f64, 2f64], [2f64, 4f64]] }
-- output { 0f64 true }
-- input { [[0f64]] }
-- output { 0f64 true }
entry singular [n] (a: [n][n]f64) : (f64, bool) =
  (linear.determinant a, any (\x -> f64.isnan x || f64.isinf x) (linear.solve a (replicate n 1)))

-- Determinants of permutations are their signs.
-- ==
-- entry: signs
-- input { [1i64, 0i64, 2i64, 3i64] }
-- output { -1f64 }
-- input { [1i64, 2i64, 3i64, 0i64] }
-- output { -1f64 }
-- input { [1i64, 2i64, 0i64] }
-- output { 1f64 }
-- input { [3i64, 2i64, 1i64, 0i64] }
-- output { 1f64 }
entry signs [n] (order: [n]i64) : f64 =
  linear.determinant (map (\i -> (linear.identity n)[i]) order)

-- ==
-- entry: positive_definite
-- input { }
-- output { true true }
entry positive_definite : (bool, bool) =
  ( all (\n ->
           let a = matrix n (n + 3)
           let s = linear.product a (transpose a)
           let l = linear.cholesky s
           let trace = f64.sum (map (\i -> s[i, i]) (iota n))
           in size (less (linear.product l (transpose l)) s) <= bound (n + 1) * trace
              && and (flatten (tabulate_2d n n (\i j -> j <= i || l[i, j] == 0))))
        sizes
  , any f64.isnan (flatten (linear.cholesky [[1, 2], [2, 1]])) )

-- ==
-- entry: orthogonal
-- input { }
-- output { true }
entry orthogonal : bool =
  all (\n ->
         let m = n + 2
         let a = matrix m n
         let b = vector m
         let f = linear.qr a
         let x = linear.least_squares a b
         let rest = map2 (-) b (linear.apply a x)
         in size (less (linear.product f.q f.r) a) <= bound (n * m) * size a
            && size (less (linear.product (transpose f.q) f.q) (linear.identity n)) <= bound (n * m)
            && and (flatten (tabulate_2d n n (\i j -> j >= i || f.r[i, j] == 0)))
            -- The residual is orthogonal to all columns.
            && norm (linear.apply (transpose a) rest)
               <= 2 * bound (n * m) * size a * (norm b + size a * norm x))
      sizes

-- ==
-- entry: eigen
-- long input { }
-- output { true }
entry eigen : bool =
  all (\n ->
         let a = matrix n n
         let s = map2 (map2 (+)) a (transpose a)
         let e = linear.symmetric_eigen s
         let turned = linear.product s e.vectors
         let scaled = map (map2 (*) e.values) e.vectors
         in size (less turned scaled) <= 10 * bound n * size s
            && size (less (linear.product (transpose e.vectors) e.vectors) (linear.identity n))
               <= 10 * bound n
            && all (\i -> e.values[i] <= e.values[i + 1]) (iota (n - 1)))
      sizes

-- The second difference has eigenvalues that are known.
-- ==
-- entry: known_values
-- input { 30i64 }
-- output { true }
entry known_values (n: i64) : bool =
  let a = tabulate_2d n n (\i j -> if i == j then 2 else if i64.abs (i - j) == 1 then -1 else 0)
  let value (k: i64) = 4 * f64.sinpi (f64.i64 (k + 1) / f64.i64 (2 * n + 2)) ** 2
  let close (x: f64) (k: i64) = f64.abs (x - value k) <= 10 * bound n * size a
  in and (map2 close (linear.symmetric_eigen a).values (iota n))
     && and (map2 close (reverse (linear.svd a).values) (iota n))

-- ==
-- entry: singular_values
-- long input { }
-- output { true }
entry singular_values : bool =
  all (\n ->
         let a = matrix (n + 3) n
         let f = linear.svd a
         let again = linear.product (map (map2 (*) f.values) f.u) (transpose f.v)
         in size (less again a) <= 10 * bound n * size a
            && size (less (linear.product (transpose f.u) f.u) (linear.identity n)) <= 10 * bound n
            && size (less (linear.product (transpose f.v) f.v) (linear.identity n)) <= 10 * bound n
            && all (\i -> f.values[i] >= f.values[i + 1] && f.values[i + 1] > 0) (iota (n - 1)))
      sizes

-- Columns of very different size: small values are as accurate as great ones.
-- ==
-- entry: graded
-- input { }
-- output { true true }
entry graded : (bool, bool) =
  let f = linear.svd [[1e10, 0], [0, 1e-10], [0, 0]]
  let rank_one = linear.svd [[1, 2], [2, 4], [3, 6]]
  in ( f.values[0] == 1e10 && f.values[1] == 1e-10
     , f64.abs (rank_one.values[0] - f64.sqrt 70) < 1e-14 && rank_one.values[1] < 1e-14 )

-- Many small problems at once, and the other precision.
-- ==
-- entry: batches
-- input { 50i64 }
-- output { true true }
entry batches (n: i64) : (bool, bool) =
  let as = unflatten_3d (map (\x -> x - 0.5) (random.uniform (n * 3 * 3) (random.seed 8)))
  let bs = map (\a -> linear.apply a [1, 2, 3]) (as :> [n][3][3]f64)
  let solved = map2 linear.solve as bs
  let single = linear_f32.solve (map (map f32.f64) as[0]) (map f32.f64 bs[0])
  in ( and (map2 (\a x -> norm (map2 (-) x [1, 2, 3]) <= 1e-13 * size (linear.inverse a)) as solved)
     , f32.maximum (map2 (\x y -> f32.abs (x - y)) single [1, 2, 3]) < 1e-4 )

-- Mapped over, each function gives what it gives alone.
-- ==
-- entry: mapped
-- input { 3i64 17i64 }
-- output { true true true true true }
-- input { 20i64 5i64 }
-- output { true true true true true }
entry mapped (k: i64) (n: i64) : (bool, bool, bool, bool, bool) =
  let as = unflatten_3d (map (\x -> x - 0.5) (random.uniform (k * n * n) (random.seed 3)))
           :> [k][n][n]f64
  let same [m] (f: [n][n]f64 -> [m]f64) =
    let together = map f as
    in all (\i -> and (map2 (==) together[i] (f as[i]))) [0, k - 1]
  let square (a: [n][n]f64) = linear.product a (transpose a)
  in ( same (\a -> linear.solve a (replicate n 1))
     , same (\a -> flatten (linear.cholesky (square a)))
     , same (\a -> linear.least_squares a a[0])
     , same (\a -> (linear.symmetric_eigen (square a)).values)
     , same (\a -> (linear.svd a).values) )
