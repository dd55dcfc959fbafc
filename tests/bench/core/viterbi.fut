-- The likeliest states of hidden Markov models: 32 states, 16 symbols, 256 observations of each
-- sequence.  (A. J. Viterbi, IEEE Transactions on Information Theory 13(2), 1967.)
import "common"

-- | The greatest of scores, the first one of equals.
def best [n] (scores: [n]f32) : (f32, i64) =
  let better (a, i) (b, j) = if a > b || (a == b && i < j) then (a, i) else (b, j)
  in reduce_comm better (-f32.inf, n) (zip scores (iota n))

def path [s] [o] [t] (from: [s][s]f32) (emission: [s][o]f32) (seen: [t]u8) : [t]i32 =
  let symbol k = i64.u8 seen[k]
  let first = map (\of_state -> of_state[symbol 0]) emission
  let (scores, predecessors) =
    loop (scores, predecessors) = (first, replicate t (replicate s 0u8)) for k in 1..<t do
      let (values, states) =
        unzip (map2 (\to of_state ->
                       let (value, state) = best (map2 (+) scores to)
                       in (value + of_state[symbol k], u8.i64 state))
                    (transpose from) emission)
      in (values, predecessors with [k] = states)
  let last = (best scores).1
  let (states, _) =
    loop (states, state) = (replicate t 0, last) for i < t do
      let k = t - 1 - i
      in (states with [k] = i32.i64 state, i64.u8 predecessors[k, state])
  in states

entry input (n: i64) =
  ( tabulate_2d 32 32 (\i j -> -4 * uniform 1 (32 * i + j))
  , tabulate_2d 32 16 (\j o -> -4 * uniform 2 (16 * j + o))
  , tabulate_2d n 256 (\q k -> u8.u32 (h32 3 (256 * q + k) % 16))
  )

entry kernel [n] [s] [o] [t] (from: [s][s]f32) (emission: [s][o]f32) (seen: [n][t]u8) : [n][t]i32 =
  map (path from emission) seen

entry checksum [n] [t] (paths: [n][t]i32) = digest_i32 (flatten paths)
