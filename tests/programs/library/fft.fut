-- `import "sinter/fft"`: transforms of many lengths against their definition.

import "sinter/fft"
import "sinter/random"

type complex = (f64, f64)

def data (n: i64) : [n]complex =
  zip (map (\x -> x - 0.5) (random.uniform n (random.seed 1)))
      (map (\x -> x - 0.5) (random.uniform n (random.seed 2)))

def definition [n] (xs: [n]complex) : [n]complex =
  let root (j: i64) =
    let angle = f64.i64 (2 * (j % n)) / f64.i64 n
    in (f64.cospi angle, -(f64.sinpi angle))
  let element (k: i64) =
    let terms =
      map2 (\(a, b) j -> let (c, d) = root (j * k) in (a * c - b * d, a * d + b * c)) xs (iota n)
    in (f64.sum (map (.0) terms), f64.sum (map (.1) terms))
  in tabulate n element

def norm (xs: []complex) : f64 = f64.sqrt (f64.sum (map (\(a, b) -> a * a + b * b) xs))

-- Within what is claimed, and half of it for the rounding of the definition's own sums.
def is_near [n] (factor: f64) (xs: [n]complex) (ys: [n]complex) : bool =
  let bound = factor * (f64.log2 (f64.i64 (i64.max 1 n)) + 8) * f64.epsilon
  in norm (map2 (\(a, b) (c, d) -> (a - c, b - d)) xs ys) <= bound * norm ys

def check (factor: f64) (n: i64) : bool =
  let xs = data n
  let reals = map (.0) xs
  let transformed = fft.forward xs
  let half = fft.real reals
  in is_near factor transformed (definition xs)
     && is_near factor (fft.inverse transformed) xs
     && is_near factor half (take (n / 2 + 1) (definition (map (\x -> (x, 0)) reals)))
     && is_near factor (map (\x -> (x, 0)) (fft.inverse_real n half)) (map (\x -> (x, 0)) reals)

-- Powers and products of small numbers, every way to begin and to go on.
-- ==
-- entry: small_factors
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64, 12i64, 15i64, 16i64,
--          24i64, 31i64, 32i64, 48i64, 60i64, 64i64, 77i64, 81i64, 96i64, 100i64, 128i64, 256i64] }
-- output { true }
entry small_factors (ns: []i64) : bool = all (check 4) ns

-- By convolution.
-- ==
-- entry: great_factors
-- input { [37i64, 41i64, 74i64, 127i64, 166i64] }
-- output { true }
entry great_factors (ns: []i64) : bool = all (check 13) ns

-- ==
-- entry: nothing
-- input { 0i64 }
-- output { 0i64 0i64 0i64 }
entry nothing (n: i64) : (i64, i64, i64) =
  ( length (fft.forward (data n))
  , length (fft.inverse (data n))
  , length (fft.forward_2d [data n])[0] )

-- All dimensions, one after the other by definition.
-- ==
-- entry: dimensions
-- input { 3i64 4i64 5i64 }
-- output { true }
-- input { 8i64 1i64 37i64 }
-- output { true }
entry dimensions (n: i64) (m: i64) (k: i64) : bool =
  let xs : [n][m][k]complex = unflatten_3d (data (n * m * k))
  let along_rows [a] [b] (xs: [a][b]complex) : [a][b]complex = map definition xs
  let along_columns [a] [b] (xs: [a][b]complex) : [a][b]complex =
    transpose (along_rows (transpose xs))
  let two = along_columns (along_rows xs[0])
  let slabs = map (\ys -> along_columns (along_rows ys)) xs
  let three = transpose (map along_columns (transpose slabs))
  in is_near 13 (flatten (fft.forward_2d xs[0])) (flatten two)
     && is_near 13 (flatten (fft.inverse_2d two)) (flatten xs[0])
     && is_near 13 (flatten_3d (fft.forward_3d xs)) (flatten_3d three)
     && is_near 13 (flatten_3d (fft.inverse_3d three)) (flatten_3d xs)

-- The other precision, and many transforms at once.
-- ==
-- entry: batches
-- input { 20i64 }
-- output { true true }
entry batches (n: i64) : (bool, bool) =
  let rows = unflatten (data (3 * n)) :> [3][n]complex
  let wide (x: (f32, f32)) = (f64.f32 x.0, f64.f32 x.1)
  let narrow (x: complex) = (f32.f64 x.0, f32.f64 x.1)
  let single = map wide (fft_f32.forward (map narrow rows[0]))
  let error = norm (map2 (\(a, b) (c, d) -> (a - c, b - d)) single (fft.forward rows[0]))
  in ( and (map2 (\row t -> is_near 4 t (definition row)) rows (map fft.forward rows))
     , error <= 1e-6 * norm single )
