-- Scores alone on the way there; on the way back, which state they came from.
module core = import "../core/viterbi"

def path [s] [o] [t] (from: [s][s]f32) (emission: [s][o]f32) (seen: [t]u8) : [t]i32 =
  let of k = map (\e -> e[i64.u8 seen[k]]) emission
  let scores =
    loop scores = replicate t (of 0) for k in 1..<t do
      let before = copy scores[k - 1]
      let reached = map (\to -> f32.maximum (map2 (+) before to)) (transpose from)
      in scores with [k] = map2 (+) reached (of k)
  let first_of (values: [s]f32) =
    let most = f32.maximum values
    in i64.minimum (map2 (\i v -> if v == most then i else s) (iota s) values)
  let (states, _) =
    loop (states, state) = (replicate t 0, first_of scores[t - 1]) for i < t do
      let k = t - 1 - i
      let before = if k == 0 then state else first_of (map2 (+) scores[k - 1] from[:, state])
      in (states with [k] = i32.i64 state, before)
  in states

entry input = core.input
entry kernel [n] [s] [o] [t] (from: [s][s]f32) (emission: [s][o]f32) (seen: [n][t]u8) : [n][t]i32 =
  map (path from emission) seen
entry checksum = core.checksum
