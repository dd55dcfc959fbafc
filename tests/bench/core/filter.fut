-- Keeping the numbers below one half, in order; with the others behind them.
import "common"

entry input (n: i64) = uniforms 1 n
entry kernel_filter [n] (xs: [n]f32) = filter (< 0.5) xs

entry kernel_partition [n] (xs: [n]f32) =
  let (small, large) = partition (< 0.5) xs
  in small ++ large

entry checksum [n] (xs: [n]f32) = digest_f32 xs
