-- Prices by arrays: each step over all options.
module core = import "../core/blackscholes"

module steps (R: real) = {
  def number = R.f64

  def normal [n] (ds: [n]R.t) : [n]R.t =
    let ks = map (\d -> R.(number 1 / (number 1 + number 0.2316419 * abs d))) ds
    let factors =
      map (R.f64) [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530]
    let polynomials =
      map (\k -> loop p = number 0 for a in factors do R.(k * (a + p))) ks
    let tails =
      map2 (\d p -> R.(number 0.3989422804014327 * exp (number (-0.5) * d * d) * p)) ds polynomials
    in map2 (\d q -> if R.(d > number 0) then R.(number 1 - q) else q) ds tails

  def prices [n] (s: [n]R.t) (k: [n]R.t) (t: [n]R.t) : ([n]R.t, [n]R.t) =
    let (r, sigma) = (number 0.02, number 0.3)
    let deviations = map (\t -> R.(sigma * sqrt t)) t
    let d1 =
      map4 (\s k t d -> R.((log (s / k) + (r + sigma * sigma / number 2) * t) / d)) s k t deviations
    let d2 = map2 (R.-) d1 deviations
    let discounted = map2 (\k t -> R.(k * exp (neg r * t))) k t
    let (n1, n2) = (normal d1, normal d2)
    let calls = map4 (\s n1 x n2 -> R.(s * n1 - x * n2)) s n1 discounted n2
    let puts = map4 (\s n1 x n2 -> R.(x * (number 1 - n2) - s * (number 1 - n1))) s n1 discounted n2
    in (calls, puts)
}

module steps_f32 = steps f32
module steps_f64 = steps f64

entry input_f32 = core.input_f32
entry kernel_f32 [n] (s: [n]f32) (k: [n]f32) (t: [n]f32) = steps_f32.prices s k t
entry checksum_f32 = core.checksum_f32

entry input_f64 = core.input_f64
entry kernel_f64 [n] (s: [n]f64) (k: [n]f64) (t: [n]f64) = steps_f64.prices s k t
entry checksum_f64 = core.checksum_f64
