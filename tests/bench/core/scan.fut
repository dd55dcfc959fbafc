-- Inclusive prefix sums.
import "common"

entry input_i32 (n: i64) = tabulate n (\i -> below 1 i 1000)
entry kernel_i32 [n] (xs: [n]i32) = scan (+) 0 xs
entry checksum_i32 [n] (xs: [n]i32) = digest_i32 xs

entry input_f32 (n: i64) = tabulate n (\i -> uniform 1 i - 0.5)
entry kernel_f32 [n] (xs: [n]f32) = scan (+) 0 xs
entry checksum_f32 [n] (xs: [n]f32) = digest_f32 xs
