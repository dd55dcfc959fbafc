-- The product of two square matrices.
import "common"

def matrix (s: u64) (n: i64) : [n][n]f32 =
  tabulate_2d n n (\i j -> 2 * uniform s (i * n + j) - 1)

entry input (n: i64) = (matrix 1 n, matrix 2 n)

entry kernel [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a

entry checksum [n] (c: [n][n]f32) = digest_f32 (flatten c)
