-- Paths one array after the other: all points, all walks, all payoffs.
module core = import "../core/optionpricing"

def number (numbers: [32]u32) (gray: u32) : u32 =
  loop x = 0 for k < 32i64 do if (gray >> u32.i64 k) & 1 == 1 then x ^ numbers[k] else x

-- | A walk level by level: each level between those of the one before.
def bridge (z: [32]f32) : [33]f32 =
  let between [k] (walk: [k]f32) (spread: f32) (used: i64) : []f32 =
    tabulate (2 * k - 1) (\j ->
      if j % 2 == 0 then walk[j / 2]
      else 0.5 * (walk[j / 2] + walk[j / 2 + 1]) + spread * z[used + j / 2])
  let w1 = between [0, z[0] * f32.sqrt 32] (f32.sqrt 8) 1
  let w2 = between w1 2 2
  let w3 = between w2 (f32.sqrt 2) 4
  let w4 = between w3 1 8
  in between w4 (f32.sqrt 0.5) 16 :> [33]f32

entry input = core.input
entry kernel (n: i64) (directions: [32][32]u32) : f32 =
  let (rate, volatility, dt) = (0.05f32, 0.2f32, 1 / 32f32)
  let drift = (rate - volatility * volatility / 2) * dt
  let points =
    tabulate n (\i ->
      let path = u32.i64 (i + 1)
      in map (\numbers -> (f32.u32 (number numbers (path ^ (path >> 1)) >> 8) + 0.5) * 5.9604645e-8)
             directions)
  let walks = map (bridge <-< map core.quantile) points
  let price w k = 100 * f32.exp (drift * f32.i64 k + volatility * f32.sqrt dt * w)
  let means = map (\walk -> f32.sum (tabulate 32 (\k -> price walk[k + 1] (k + 1))) / 32) walks
  in f32.exp (-rate) * f32.sum (map (\m -> f32.max 0 (m - 100)) means) / f32.i64 n
entry checksum = core.checksum
