-- `import "sinter/statistics"`: small numbers by hand, and what holds of any.

import "sinter/statistics"
import "sinter/random"
import "sinter/sort"

-- ==
-- entry: moments
-- input { [3f64, 1f64, 4f64, 1f64, 5f64, 9f64, 2f64, 6f64, 5f64, 3f64, 5f64] }
-- output { [4f64, 5.6f64, 2.3664319132398464f64, 1.3f64, 0.23214285714285715f64] }
entry moments [n] (xs: [n]f64) : []f64 =
  [ statistics.mean xs, statistics.variance xs, statistics.standard_deviation xs
  , statistics.covariance xs (reverse xs), statistics.correlation xs (reverse xs) ]

-- Of no numbers and of one; infinity stays one.
-- ==
-- entry: few
-- input { }
-- output { [true, true, true, true, true] }
entry few : []bool =
  [ f64.isnan (statistics.mean []), f64.isnan (statistics.variance [1]), statistics.mean [7] == 7
  , statistics.mean [1, f64.inf] == f64.inf, f64.isnan (statistics.mean [f64.inf, -f64.inf]) ]

-- As NumPy's `quantile` has them.
-- ==
-- entry: quantiles
-- input { [3f64, 1f64, 4f64, 1f64, 5f64, 9f64, 2f64, 6f64] }
-- output { [1f64, 1.75f64, 3.5f64, 5.25f64, 8.79f64, 9f64] 3.5f64 }
-- input { [7f64] }
-- output { [7f64, 7f64, 7f64, 7f64, 7f64, 7f64] 7f64 }
entry quantiles [n] (xs: [n]f64) : ([]f64, f64) =
  (statistics.quantiles [0, 0.25, 0.5, 0.75, 0.99, 1] xs, statistics.median xs)

-- Against a sorted array, of many kinds of numbers.
-- ==
-- entry: quantiles_of_many
-- input { }
-- output { true }
entry quantiles_of_many : bool =
  let check (xs: []f64) =
    let n = length xs
    let sorted = sort_f64.sort xs
    let expected (q: f64) =
      let h = q * f64.i64 (n - 1)
      let i = i64.f64 h
      let j = i64.min (n - 1) (i + 1)
      in sorted[i] + (h - f64.i64 i) * (sorted[j] - sorted[i])
    let qs = [0, 0.1, 0.5, 0.501, 0.9, 1]
    in and (map2 (\q found -> f64.abs (found - expected q) <= 1e-15 * f64.abs found) qs
                 (statistics.quantiles qs xs))
  let key = random.seed 11
  in check (random.normal 5000 key)
     && check (map (\x -> 1 + 1e-12 * x) (random.normal 5000 key))
     && check ([-1e300] ++ random.uniform 999 key ++ [1e300])
     && check (map f64.i64 (random.poisson 2 5000 key))

-- ==
-- entry: bad_quantile
-- input { 1.5f64 }
-- error: Assertion
-- input { -0.1f64 }
-- error: Assertion
-- input { f64.nan }
-- error: Assertion
entry bad_quantile (q: f64) : f64 = statistics.quantile q [1, 2, 3]

-- Numbers on borders are counted above them, by the borders that there are.
-- ==
-- entry: histograms
-- input { 10i64 }
-- output { true true [2i64, 0i64, 1i64] }
-- input { 49i64 }
-- output { true true [2i64, 0i64, 1i64] }
entry histograms (count: i64) : (bool, bool, []i64) =
  let borders = statistics.borders count 0.1 0.7
  let on = statistics.histogram count 0.1 0.7 borders
  let below = statistics.histogram count 0.1 0.7 (map (\b -> f64.nextafter b (-1)) borders)
  in ( and (map2 (\c i -> c == (if i == count - 1 then 2 else 1)) on (iota count))
     , and (map (== 1) below)
     , statistics.histogram 3 0 3 [-0.5, 0, 0.5, 3, 3.5, f64.nan] )

-- Anscombe's first set, as textbooks have it.
-- ==
-- entry: line
-- input { [10f64, 8f64, 13f64, 9f64, 11f64, 14f64, 6f64, 4f64, 12f64, 7f64, 5f64]
--         [8.04f64, 6.95f64, 7.58f64, 8.81f64, 8.33f64, 9.96f64, 7.24f64, 4.26f64, 10.84f64,
--          4.82f64, 5.68f64] }
-- output { 0.50009091f64 3.00009091f64 1.2366033f64 0.11790550f64 1.12474679f64 0.66654246f64 }
entry line [n] (xs: [n]f64) (ys: [n]f64) : (f64, f64, f64, f64, f64, f64) =
  let l = statistics.line xs ys
  in (l.slope, l.intercept, l.deviation, l.slope_error, l.intercept_error, l.determination)

-- The means of samples vary by the root of their size.
-- ==
-- entry: bootstrap
-- long input { 100i64 }
-- output { true }
entry bootstrap (n: i64) : bool =
  let xs = random.normal n (random.seed 2)
  let means = statistics.bootstrap statistics.mean 1000 (random.seed 1) xs
  let deviation = statistics.standard_deviation means * f64.sqrt (f64.i64 n)
  in deviation > 0.9 && deviation < 1.1

-- ==
-- entry: matrix
-- input { [[1f64, 4f64], [2f64, 2f64], [6f64, 0f64]] }
-- output { [[7f64, -5f64], [-5f64, 4f64]] }
entry matrix [n] [d] (rows: [n][d]f64) : [d][d]f64 = statistics.covariance_matrix rows

-- Several variables, with and without an error; a line is a regression too.
-- ==
-- entry: regression
-- input { 200i64 }
-- output { true true true }
entry regression (n: i64) : (bool, bool, bool) =
  let rows = unflatten (random.uniform (n * 3) (random.seed 4)) :> [n][3]f64
  let exact = statistics.regression rows (map (\x -> 5 + 2 * x[0] - 3 * x[1] + x[2]) rows)
  let errors = random.normal n (random.seed 5)
  let noisy =
    statistics.regression rows
      (map2 (\x e -> 5 + 2 * x[0] - 3 * x[1] + x[2] + 0.1 * e) rows errors)
  let ys = random.normal n (random.seed 6)
  let line = statistics.line (transpose rows)[0] ys
  let same = statistics.regression (map (take 1) rows) ys
  let close (tolerance: f64) (x: f64) (y: f64) = f64.abs (x - y) <= tolerance
  in ( and (map2 (close 1e-13) exact.coefficients [2, -3, 1]) && close 1e-13 exact.intercept 5
       && close 1e-13 exact.determination 1
     , and (map2 (close 0.1) noisy.coefficients [2, -3, 1]) && noisy.determination > 0.9
       && noisy.determination < 1
     , close 1e-13 line.slope same.coefficients[0] && close 1e-13 line.intercept same.intercept
       && close 1e-13 line.determination same.determination )
