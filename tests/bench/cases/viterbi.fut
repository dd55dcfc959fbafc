-- The likeliest way through a model of DNA in a nanopore, for each of many signals (A. J. Viterbi,
-- IEEE Transactions on Information Theory 13(2), 1967).  4^6 k-mers with 16 duration classes, 6,000
-- samples of each strand; variant `short`: 4^3 k-mers with 4 classes, 200 samples.
import "common"
module model = import "viterbi_model"

-- | The greatest of four scores, and which it is; the first one of equals.
def best (scores: [4]f32) : (f32, u8) =
  let better (a, i) (b, j) = if a > b || (a == b && i < j) then (a, i) else (b, j)
  in reduce_comm better (-f32.inf, 4) (zip scores (map u8.i64 (iota 4)))

-- | By sample: whether a state's k-mer has just been entered, by class and k-mer; and the letter that
-- is then left behind, by the letters that stay.
type origins [t] [d] [k] [c] = ([t][d][k]bool, [t][c]u8)

-- | Scores after sample number `i`.  A class has its new scores of those of the next one, so that they
-- are renewed in place, class by class.
def step [k] [d] [t] [contexts] (m: model.model [k] [d]) (sample: f32) (i: i64) (scores: *[d][k]f32)
         ((entries, letters): *origins [t] [d] [k] [contexts])
         : (*[d][k]f32, *origins [t] [d] [k] [contexts]) =
  let (reached, letter) =
    unzip (tabulate contexts (\c -> best (tabulate 4 (\b -> scores[0, b * contexts + c]))))
  let reached = tabulate k (\w -> reached[w / 4])
  let emitted = map (\level -> model.emission level sample) m.levels
  let (scores, entries) =
    loop (scores, entries) for c < d do
      let of_kmer before reached emitted =
        let (on, entered) = (before + m.go_on[c], reached + m.enter[c])
        in if on >= entered then (on + emitted, false) else (entered + emitted, true)
      let (row, from) = unzip (map3 of_kmer scores[i64.min (c + 1) (d - 1)] reached emitted)
      in (scores with [c] = row, entries with [i, c] = from)
  in (scores, (entries, letters with [i] = letter))

-- | The states of a signal.
def path [k] [d] [t] (m: model.model [k] [d]) (samples: [t]f32) : [t]i32 =
  -- Before the first sample each k-mer can be entered.
  let scores = tabulate d (\c -> replicate k (if c == 0 then 0 else -f32.inf))
  let origins = (replicate t (replicate d (replicate k false)), replicate t (replicate (k / 4) 0u8))
  let (scores, (entries, letters)) =
    loop (scores, origins) for i < t do step m samples[i] i scores origins
  let better (a, i) (b, j) = if a > b || (a == b && i < j) then (a, i) else (b, j)
  let (_, last) = reduce_comm better (-f32.inf, d * k) (zip (flatten scores) (iota (d * k)))
  let (states, _, _) =
    loop (states, class, kmer) = (replicate t 0, last / k, last % k) for j < t do
      let i = t - 1 - j
      let (class', kmer') =
        if entries[i, class, kmer] then (0, i64.u8 letters[i, kmer / 4] * (k / 4) + kmer / 4)
        else (i64.min (class + 1) (d - 1), kmer)
      in (states with [i] = model.state m class kmer, class', kmer')
  in states

def input_of (k: i64) (d: i64) (t: i64) (n: i64) =
  let m = model.of_sizes k d
  in (m.levels, m.enter, m.go_on, tabulate n (\q -> (model.signal m t q).0))

entry input (n: i64) : ([]f32, []f32, []f32, [][]f32) = input_of 4096 16 6000 n
entry input_short (n: i64) : ([]f32, []f32, []f32, [][]f32) = input_of 64 4 200 n

entry kernel [k] [d] [n] [t] (levels: [k]f32) (enter: [d]f32) (go_on: [d]f32) (signals: [n][t]f32)
                             : [n][t]i32 =
  map (path {levels, enter, go_on}) signals

entry checksum [n] [t] (paths: [n][t]i32) = digest_all (flatten paths)
