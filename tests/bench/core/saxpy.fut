-- A scaled vector plus another.
import "common"

entry input (n: i64) = (uniforms 1 n, uniforms 2 n)
entry kernel [n] (xs: [n]f32) (ys: [n]f32) = map2 (\x y -> 2.5 * x + y) xs ys
entry checksum [n] (zs: [n]f32) = digest_f32 zs
