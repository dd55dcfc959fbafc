-- | What numbers say taken together.
--
-- `statistics` is for `f64`, `statistics_f32` for `f32`.  What is claimed of errors supposes that a
-- sum of `n` numbers is made of rows of 64 and blocks of 64 rows, as Sinter does it: it is wrong by
-- at most `(128 + n / 4096) * epsilon / 2` of the sum of their magnitudes.

import "linear"
import "random"
import "sort"

-- | What statistics need of other modules for a type of floats.
local module make_statistics
  (F: float)
  (Sort: {val ranked [n] [k] : (ranks: [k]i64) -> (xs: [n]F.t) -> *[k]F.t})
  (Linear: {val least_squares [m] [n] : (a: [m][n]F.t) -> (b: [m]F.t) -> *[n]F.t}) = {
  local type t = F.t

  -- | How far each number is from a mean of them that is nearly right.
  local def deviations [n] (xs: [n]t) : (t, [n]t) =
    let mean = F.sum xs F./ F.i64 n
    in (mean, map (F.- mean) xs)

  -- | The mean; not a number if there are none.  `statistics.mean [1, 2, 6]` is `3`.
  --
  -- The mean of the deviations from a first one is added to it: the result is wrong by at most
  -- `epsilon` of it, and `(n * epsilon) ** 2` of the mean magnitude.
  def mean [n] (xs: [n]t) : t =
    let (mean, ds) = deviations xs
    let correction = F.sum ds F./ F.i64 n
    in if F.isnan correction then mean else mean F.+ correction

  -- | The covariance of two columns, of which the numbers are a sample:
  -- `statistics.covariance [1, 2, 6] [2, 3, 7]` is `7`.
  --
  -- By deviations, corrected for the error of the means (Chan, Golub and LeVeque, Algorithms for
  -- computing the sample variance, 1983): wrong by at most `(135 + n / 4096) * epsilon` of the
  -- product of the standard deviations, wherever the means are, while those are less than 2**20
  -- (`f32`: 2**8) standard deviations from 0.
  def covariance [n] (xs: [n]t) (ys: [n]t) : t =
    let (_, dxs) = deviations xs
    let (_, dys) = deviations ys
    let products = F.sum (map2 (F.*) dxs dys)
    in (products F.- F.sum dxs F.* F.sum dys F./ F.i64 n) F./ F.i64 (n - 1)

  -- | The variance of what the numbers are a sample of: the sum of the squares of their deviations
  -- from the mean, divided by `n - 1`.  `statistics.variance [1, 2, 6]` is `7`.
  --
  -- As accurate as the covariance.
  def variance [n] (xs: [n]t) : t =
    let (_, ds) = deviations xs
    let (sum, squares) = (F.sum ds, F.sum (map (\d -> d F.* d) ds))
    in (squares F.- sum F.* sum F./ F.i64 n) F./ F.i64 (n - 1)

  -- | The root of the variance: `statistics.standard_deviation [1, 1, 4, 4, 5]` is
  -- `f64.sqrt 3.5`.
  def standard_deviation [n] (xs: [n]t) : t = F.sqrt (variance xs)

  -- | The correlation of two columns, between -1 and 1:
  -- `statistics.correlation [1, 2, 3] [6, 5, 4]` is `-1`.
  def correlation [n] (xs: [n]t) (ys: [n]t) : t =
    let r = covariance xs ys F./ (F.sqrt (variance xs) F.* F.sqrt (variance ys))
    in if F.isnan r then r else F.max (F.i32 (-1)) (F.min (F.i32 1) r)

  -- | The covariances of all columns of a table with each other:
  -- `statistics.covariance_matrix [[1, 2], [2, 3], [6, 7]]` is `[[7, 7], [7, 7]]`.
  def covariance_matrix [n] [d] (rows: [n][d]t) : [d][d]t =
    let columns = transpose rows
    let centred = map (\xs -> let m = mean xs in map (F.- m) xs) columns
    in map (\xs -> map (\ys -> F.sum (map2 (F.*) xs ys) F./ F.i64 (n - 1)) centred) centred

  -- | The quantiles for several chances: `statistics.quantiles [0, 0.25, 1] [30, 10, 20]` is
  -- `[10, 15, 30]`.  The quantile for `q` lies at `(n - 1) * q` in the ascending order, between two
  -- numbers in proportion (Hyndman and Fan, Sample quantiles in statistical packages, 1996, type
  -- 7).  What is not a number counts as the greatest.
  --
  -- The numbers at the ranks that matter are found without sorting all.
  def quantiles [n] [k] (qs: [k]t) (xs: [n]t) : *[k]t =
    let last = F.i64 (n - 1)
    let rank (q: t) = assert (q F.>= F.i32 0 && q F.<= F.i32 1 && n > 0) (last F.* q)
    let lower (q: t) = F.to_i64 (F.floor (rank q))
    let ranks = map lower qs ++ map (\q -> i64.min (n - 1) (lower q + 1)) qs
    let found = Sort.ranked ranks xs
    let between (q: t) (i: i64) =
      let (low, high) = (found[i], found[k + i])
      let part = rank q F.- F.floor (rank q)
      in if part F.== F.i32 0 then low else low F.+ part F.* (high F.- low)
    in map2 between qs (iota k)

  -- | The quantile for one chance: `statistics.quantile 0.25 [30, 10, 20]` is `15`.
  def quantile [n] (q: t) (xs: [n]t) : t = (quantiles [q] xs)[0]

  -- | The number in the middle, or between the two there: `statistics.median [30, 10, 25, 20]` is
  -- `22.5`.
  def median [n] (xs: [n]t) : t = quantile (F.f64 0.5) xs

  -- | The borders of intervals of one width from `low` to `high`:
  -- `statistics.borders 4 0 2` is `[0, 0.5, 1, 1.5, 2]`.
  def borders (count: i64) (low: t) (high: t) : *[count + 1]t =
    tabulate (count + 1) (\i ->
      if i == count then high
      else low F.+ (high F.- low) F.* (F.i64 i F./ F.i64 count))

  -- | How many numbers are in each of some intervals of one width from `low` to `high`; the last
  -- one has its upper border too, others are left out.
  -- `statistics.histogram 2 0 2 [0, 0.5, 1, 2, 3]` is `[2, 2]`.
  --
  -- Exact for the `borders`: rounding puts no number into the interval beside its own.
  def histogram [n] (count: i64) (low: t) (high: t) (xs: [n]t) : *[count]i64 =
    let border (i: i64) =
      if i == count then high
      else low F.+ (high F.- low) F.* (F.i64 i F./ F.i64 count)
    let scale = F.i64 count F./ (high F.- low)
    let place (x: t) =
      if !(x F.>= low && x F.<= high) then -1
      else
      let i = i64.max 0 (i64.min (count - 1) (F.to_i64 ((x F.- low) F.* scale)))
      in if x F.< border i then i - 1
         else if i + 1 < count && x F.>= border (i + 1) then i + 1
         else i
    in hist (+) 0 count (map place xs) (replicate n 1)

  -- | The line that is nearest to points by the sum of the squares of vertical distances.
  -- `(statistics.line [0, 1, 2] [1, 3, 5]).slope` is `2`.
  --
  -- `deviation` is the standard deviation of the points from the line, `slope_error` and
  -- `intercept_error` are the standard errors, `determination` is the share of the variance that
  -- the line explains.  The slope is as accurate as covariance and variance are.
  def line [n] (xs: [n]t) (ys: [n]t)
           : { slope: t, intercept: t, deviation: t, slope_error: t, intercept_error: t
             , determination: t } =
    let (mean_x, mean_y) = (mean xs, mean ys)
    let (dxs, dys) = (map (F.- mean_x) xs, map (F.- mean_y) ys)
    let xx = F.sum (map (\d -> d F.* d) dxs)
    let xy = F.sum (map2 (F.*) dxs dys)
    let yy = F.sum (map (\d -> d F.* d) dys)
    let slope = xy F./ xx
    let rest = F.sum (map2 (\dx dy -> let r = dy F.- slope F.* dx in r F.* r) dxs dys)
    let deviation = F.sqrt (rest F./ F.i64 (n - 2))
    in { slope
       , intercept = mean_y F.- slope F.* mean_x
       , deviation
       , slope_error = deviation F./ F.sqrt xx
       , intercept_error = deviation F.* F.sqrt (F.recip (F.i64 n) F.+ mean_x F.* mean_x F./ xx)
       , determination = F.i32 1 F.- rest F./ yy
       }

  -- | The linear function of several variables, a row of them for each observation, that is nearest
  -- to observed numbers by the sum of squares.
  -- `f64.round (statistics.regression [[0, 0], [1, 0], [0, 1], [1, 2]] [1, 3, 4, 9]).intercept` is
  -- `1`.
  --
  -- By `linear.least_squares` on deviations from the means; `determination` as for `line`.
  def regression [n] [d] (rows: [n][d]t) (ys: [n]t)
                 : {coefficients: [d]t, intercept: t, determination: t} =
    let columns = transpose rows
    let means = map mean columns
    let mean_y = mean ys
    let dxs = transpose (map2 (\m xs -> map (F.- m) xs) means columns)
    let dys = map (F.- mean_y) ys
    let coefficients = Linear.least_squares dxs dys
    let dot (xs: [d]t) = F.sum (map2 (F.*) coefficients xs)
    let rest = F.sum (map2 (\xs y -> let r = y F.- dot xs in r F.* r) dxs dys)
    let all = F.sum (map (\y -> y F.* y) dys)
    in { coefficients
       , intercept = mean_y F.- dot means
       , determination = F.i32 1 F.- rest F./ all
       }

  -- | A statistic of `count` samples drawn from the numbers, each of as many and with repetition:
  -- what it varies by (Efron, Bootstrap methods, 1979).
  -- `length (statistics.bootstrap statistics.mean 5 (1, 0) [1, 2, 6])` is `5`.
  def bootstrap 'a [n] (statistic: [n]t -> a) (count: i64) (key: random.key) (xs: [n]t)
                      : *[count]a =
    map (\key -> statistic (random.choice n xs key)) (random.split count key)
}

module statistics = make_statistics f64 sort_f64 linear

module statistics_f32 = make_statistics f32 sort_f32 linear_f32
