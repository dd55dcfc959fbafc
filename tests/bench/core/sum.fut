-- The sum of a vector.
import "common"

entry input (n: i64) = uniforms 1 n
entry kernel [n] (xs: [n]f32) = f32.sum xs
entry checksum (r: f32) = digest_f32 [r]
