-- Weights as a matrix, sums over the neighbourhood.
module core = import "../core/conv3x3"

def weighted [n] [m] (weights: [3][3]f32) (image: [n][m]f32) : [n][m]f32 =
  let clamp most i = i64.max 0 (i64.min (most - 1) i)
  in tabulate_2d n m (\i j ->
       f32.sum (flatten (tabulate_2d 3 3 (\a b ->
         weights[a, b] * image[clamp n (i + a - 1), clamp m (j + b - 1)]))))

entry input = core.input
entry kernel_conv [n] [m] (image: [n][m]f32) : [n][m]f32 =
  map (map (/ 25)) (weighted [[1, 2, 3], [4, 5, 4], [3, 2, 1]] image)

entry kernel_canny [n] [m] (image: [n][m]f32) : [n][m]f32 =
  let blurred = map (map (/ 16)) (weighted [[1, 2, 1], [2, 4, 2], [1, 2, 1]] image)
  let gx = weighted [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]] blurred
  let gy = weighted [[-1, -2, -1], [0, 0, 0], [1, 2, 1]] blurred
  in map2 (map2 (\x y -> f32.sqrt (x * x + y * y))) gx gy
entry checksum = core.checksum
