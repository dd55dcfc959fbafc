-- Inclusive prefix sums by exclusive ones.
module core = import "../core/scan"

entry input_i32 = core.input_i32
entry kernel_i32 [n] (xs: [n]i32) : [n]i32 = map2 (+) xs (exscan (+) 0 xs)
entry checksum_i32 = core.checksum_i32

entry input_f32 = core.input_f32
entry kernel_f32 [n] (xs: [n]f32) : [n]f32 =
  let prefixes = scan (\(a, s) (b, t) -> (a + b, s + t)) (0i32, 0) (map (\x -> (1, x)) xs)
  in map (.1) prefixes
entry checksum_f32 = core.checksum_f32
