-- # When did the Nile change?
--
-- A hundred years of the river's annual volume, measured at Aswan.  Was the fall gradual, or did it
-- happen at once?  Run this script with `./sinter notebooks/nile.fut`.

import "sinter/statistics"

def first_year: i64 = 1871

-- | The sum of squared distances from the mean.
def deviance (xs: []f64) : f64 =
  let m = statistics.mean xs
  in f64.sum (map (\x -> (x - m) ** 2) xs)

-- | Slope of the least-squares line through (0, x0), (1, x1), …
def slope [n] (xs: [n]f64) : f64 = (statistics.line (map f64.i64 (iota n)) xs).slope

-- | How badly two levels, with a jump before element k, describe the data.
def jump_cost (xs: []f64) (k: i64) : f64 = deviance xs[:k] + deviance xs[k:]

type change = {last_year: i64, before: f64, after: f64}

-- | The jump that describes the data best.
def best_jump [n] (xs: [n]f64) : change =
  let candidates = map (+ 1) (iota (n - 1))
  let costs = map (jump_cost xs) candidates
  let better (k, c) (l, d) = if d < c then (l, d) else (k, c)
  let (k, _) = reduce better (0, f64.inf) (zip candidates costs)
  let (before, after) = (statistics.mean xs[:k], statistics.mean xs[k:])
  in {last_year = first_year + k - 1, before, after}

-- The mean of all years, and how much is lost each year if the fall was gradual:
--
-- ==
-- entry: summary
-- input @ data/nile.in
-- output { 919.35f64 -2.714f64 }

entry summary (flow: []f64) : (f64, f64) = (statistics.mean flow, slope flow)

-- > summary ($loaddata "data/nile.in")

-- The best jump.  (The Aswan dam was begun in 1898; the fall is that of the rains, see Cobb's paper.)
--
-- ==
-- entry: jump
-- input @ data/nile.in
-- output { 1898i64 1097.75f64 849.972f64 }

entry jump (flow: []f64) : (i64, f64, f64) =
  let change = best_jump flow
  in (change.last_year, change.before, change.after)

-- > jump ($loaddata "data/nile.in")

-- Two levels leave this part of the line's deviance unexplained; far below 1, the jump wins:
--
-- ==
-- entry: jump_over_line
-- input @ data/nile.in
-- output { 0.7192f64 }

entry jump_over_line [n] (flow: [n]f64) : f64 =
  let change = best_jump flow
  let residuals = map2 (\t x -> x - slope flow * f64.i64 t) (iota n) flow
  in jump_cost flow (change.last_year - first_year + 1) / deviance residuals

-- > jump_over_line ($loaddata "data/nile.in")
