-- The energy of windows of a signal, of any place and length, each weighted by a parabola.
import "common"

entry input (windows: i64) =
  let n = i64.max windows 65
  let lengths = tabulate n (\k -> i32.i64 (long_tailed 5 k 8 + 15))
  let starts = map2 (\k l -> below 2 k (u64.i64 (16 * n) - u64.i32 l + 1)) (iota n) lengths
  in (tabulate (16 * n) (\i -> uniform 1 i - 0.5), starts, lengths)

entry kernel [m] [n] (signal: [m]f32) (starts: [n]i32) (lengths: [n]i32) : [n]f32 =
  map2 (\start length ->
          let begin = i64.i32 start
          let end = begin + i64.i32 length
          let weighted j x =
            let t = (f32.i64 j + 0.5) / f32.i32 length
            in x * 4 * t * (1 - t)
          let part = signal[begin:end]
          in f32.sum (map (\x -> x * x) (map2 weighted (indices part) part)))
       starts lengths

entry checksum [n] (energies: [n]f32) = digest_f32 energies
