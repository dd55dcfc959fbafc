-- The same in loops that write their results' elements, as one would in C.
import "common"
module model = import "viterbi_model"
module arrays = import "viterbi"

def path [k] [d] [t] (m: model.model [k] [d]) (samples: [t]f32) : [t]i32 =
  let contexts = k / 4
  let scores = tabulate d (\c -> replicate k (if c == 0 then 0 else -f32.inf))
  let entries = replicate t (replicate d (replicate k false))
  let letters = replicate t (replicate contexts 0u8)
  let (scores, entries, letters, _) =
    loop (scores, entries, letters, reached) = (scores, entries, letters, replicate contexts 0f32)
    for i < t do
      let sample = samples[i]
      let (reached, letters) =
        #[parallel] loop (reached, letters) for c < contexts do
          let (most, letter) =
            loop (most, letter) = (scores[0, c], 0u8) for b in 1..<4 do
              let other = scores[0, b * contexts + c]
              in if other > most then (other, u8.i64 b) else (most, letter)
          in (reached with [c] = most, letters with [i, c] = letter)
      let (scores, entries) =
        loop (scores, entries) for c < d do
          #[parallel] loop (scores, entries) for w < k do
            let on = scores[i64.min (c + 1) (d - 1), w] + m.go_on[c]
            let entered = reached[w / 4] + m.enter[c]
            let emitted = model.emission m.levels[w] sample
            in ( scores with [c, w] = (if on >= entered then on else entered) + emitted
               , entries with [i, c, w] = !(on >= entered) )
      in (scores, entries, letters, reached)
  let (_, last_class, last_kmer) =
    loop (most, class, kmer) = (scores[0, 0], 0i64, 0i64) for c < d do
      loop (most, class, kmer) for w < k do
        if scores[c, w] > most then (scores[c, w], c, w) else (most, class, kmer)
  let (states, _, _) =
    loop (states, class, kmer) = (replicate t 0, last_class, last_kmer) for j < t do
      let i = t - 1 - j
      let (class', kmer') =
        if entries[i, class, kmer] then (0, i64.u8 letters[i, kmer / 4] * contexts + kmer / 4)
        else (i64.min (class + 1) (d - 1), kmer)
      in (states with [i] = model.state m class kmer, class', kmer')
  in states

entry input = arrays.input
entry input_short = arrays.input_short
entry kernel [k] [d] [n] [t] (levels: [k]f32) (enter: [d]f32) (go_on: [d]f32) (signals: [n][t]f32)
                             : [n][t]i32 =
  map (path {levels, enter, go_on}) signals
entry checksum = arrays.checksum
