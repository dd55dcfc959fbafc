-- Prices of European calls and puts by the formula of Black and Scholes.
import "common"

module pricing (R: real) = {
  def number = R.f64

  -- The normal distribution by Abramowitz and Stegun 26.2.17.
  def normal (d: R.t) : R.t =
    let k = R.(number 1 / (number 1 + number 0.2316419 * abs d))
    let p =
      R.(k * (number 0.319381530
              + k * (number (-0.356563782)
                     + k * (number 1.781477937
                            + k * (number (-1.821255978) + k * number 1.330274429)))))
    let q = R.(number 0.3989422804014327 * exp (number (-0.5) * d * d) * p)
    in if R.(d > number 0) then R.(number 1 - q) else q

  def price (s: R.t) (k: R.t) (t: R.t) : (R.t, R.t) =
    let r = number 0.02
    let sigma = number 0.3
    let deviation = R.(sigma * sqrt t)
    let d1 = R.((log (s / k) + (r + sigma * sigma / number 2) * t) / deviation)
    let d2 = R.(d1 - deviation)
    let discounted = R.(k * exp (neg r * t))
    let n1 = normal d1
    let n2 = normal d2
    in ( R.(s * n1 - discounted * n2)
       , R.(discounted * (number 1 - n2) - s * (number 1 - n1))
       )
}

module pricing_f32 = pricing f32
module pricing_f64 = pricing f64

entry input_f32 (n: i64) =
  ( map (\u -> 5 + 32 * u) (uniforms 1 n)
  , map (\u -> 1 + 64 * u) (uniforms 2 n)
  , map (\u -> 0.25 + 8 * u) (uniforms 3 n)
  )

entry kernel_f32 [n] (s: [n]f32) (k: [n]f32) (t: [n]f32) = unzip (map3 pricing_f32.price s k t)

entry checksum_f32 [n] (calls: [n]f32) (puts: [n]f32) =
  both (digest_f32 calls) (digest_f32 puts)

entry input_f64 (n: i64) =
  ( tabulate n (\i -> 5 + 32 * uniform_f64 1 i)
  , tabulate n (\i -> 1 + 64 * uniform_f64 2 i)
  , tabulate n (\i -> 0.25 + 8 * uniform_f64 3 i)
  )

entry kernel_f64 [n] (s: [n]f64) (k: [n]f64) (t: [n]f64) = unzip (map3 pricing_f64.price s k t)

entry checksum_f64 [n] (calls: [n]f64) (puts: [n]f64) =
  both (digest_f64 calls) (digest_f64 puts)
