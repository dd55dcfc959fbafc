-- The price of an Asian call: the mean over n paths of 32 steps, made of a digital sequence in Gray
-- code's order and a Brownian bridge.  (After I. M. Sobol', "On the distribution of points in a
-- cube and the approximate evaluation of integrals", 1967; the normal quantile is 26.2.23 of
-- Abramowitz and Stegun, "Handbook of Mathematical Functions".)
import "common"

-- | Bits that bit k of a path's number turns over, by dimension.
def direction_numbers : [32][32]u32 =
  tabulate_2d 32 32 (\d k ->
    let unused = u32.i64 (31 - k)
    let odd = if d == 0 then 1 else (h32 1 (32 * d + k) >> unused) | 1
    in odd << unused)

-- | A number of (0, 1) for each dimension.
def point (directions: [32][32]u32) (path: u32) : [32]f32 =
  let gray = path ^ (path >> 1)
  let number (numbers: [32]u32) =
    reduce (^) 0 (map2 (\k v -> if (gray >> u32.i64 k) & 1 == 1 then v else 0) (iota 32) numbers)
  in map (\numbers -> (f32.u32 (number numbers >> 8) + 0.5) * 5.9604645e-8) directions

def quantile (u: f32) : f32 =
  let t = f32.sqrt (-2 * f32.log (f32.min u (1 - u)))
  let q = t - (2.515517 + t * (0.802853 + t * 0.010328))
              / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
  in if u < 0.5 then -q else q

-- | A walk from 0, the end first, then the middles of what lies between.
def bridge (z: [32]f32) : [33]f32 =
  let ends = replicate 33 0 with [32] = z[0] * f32.sqrt 32
  let (walk, _) =
    loop (walk, used) = (ends, 1) for level < 5i64 do
      let half = 16 >> level
      let spread = f32.sqrt (f32.i64 half / 2)
      in loop (walk, used) for j < 1 << level do
           let at = (2 * j + 1) * half
           in (walk with [at] = 0.5 * (walk[at - half] + walk[at + half]) + spread * z[used], used + 1)
  in walk

def payoff (directions: [32][32]u32) (path: i64) : f32 =
  let (rate, volatility, dt) = (0.05f32, 0.2f32, 1 / 32f32)
  let walk = bridge (map quantile (point directions (u32.i64 path)))
  let drift = (rate - volatility * volatility / 2) * dt
  let price k = 100 * f32.exp (drift * f32.i64 k + volatility * f32.sqrt dt * walk[k])
  let prices = map price (1...32)
  in f32.max 0 (f32.sum prices / 32 - 100)

entry input (n: i64) = (n, copy direction_numbers)

entry kernel (n: i64) (directions: [32][32]u32) : f32 =
  f32.exp (-0.05) * f32.sum (tabulate n (\i -> payoff directions (i + 1))) / f32.i64 n

entry checksum (price: f32) = digest_f32 [price]
