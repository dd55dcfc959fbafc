-- The sum of each segment of a vector.
import "common"

def segments (n: i64) (lengths: [n]i64) =
  let ends = scan (+) 0 lengths
  let offsets = tabulate (n + 1) (\i -> i32.i64 (if i == 0 then 0 else ends[i - 1]))
  in (offsets, uniforms 1 (i64.i32 offsets[n]))

entry input_powerlaw (n: i64) = segments n (tabulate n (\i -> long_tailed 5 i 16))
entry input_regular (n: i64) = segments n (replicate n 16)
entry input_short (n: i64) = segments n (tabulate n (\i -> 1 + i64.u32 (h32 5 i % 4)))

entry kernel [n] [k] (offsets: [n]i32) (values: [k]f32) =
  tabulate (n - 1) (\i -> f32.sum values[i64.i32 offsets[i]:i64.i32 offsets[i + 1]])

entry checksum [n] (sums: [n]f32) = digest_f32 sums
