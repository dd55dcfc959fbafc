-- How loud a signal is in windows of 1,024 samples, each half of which is the next one's, too: of all
-- samples at once, and as a step of a stream, whose state is the half that the next chunk needs.

def loudness (xs: [512]f32) (ys: [512]f32) : f32 =
  let squares (zs: [512]f32) = f32.sum (map (\z -> z * z) zs)
  in f32.sqrt ((squares xs + squares ys) / 1024)

entry whole [n] (xs: [n]f32) : []f32 =
  let halves = unflatten (take (n / 512 * 512) xs :> [n / 512 * 512]f32)
  in tabulate (n / 512 - 1) (\i -> loudness halves[i] halves[i + 1])

-- (The first window has silence before it.)
entry step [k] (last: [512]f32) (halves: [k][512]f32) : ([512]f32, [k]f32) =
  (if k == 0 then last else halves[k - 1],
   tabulate k (\i -> loudness (if i == 0 then last else halves[i - 1]) halves[i]))

entry init : [512]f32 = replicate 512 0
