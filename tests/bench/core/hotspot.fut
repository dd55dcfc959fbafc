-- Heat that spreads over a chip: 360 steps of a five-point stencil, edges replicated.
import "common"

def step [n] [m] (p: [n][m]f32) (t: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\i j ->
    let c = t[i, j]
    let north = t[i64.max 0 (i - 1), j]
    let south = t[i64.min (n - 1) (i + 1), j]
    let west = t[i, i64.max 0 (j - 1)]
    let east = t[i, i64.min (m - 1) (j + 1)]
    in c + 0.1 * p[i, j] + 0.2 * (north + south - 2 * c) + 0.15 * (east + west - 2 * c)
       + 0.01 * (80 - c))

entry input (n: i64) =
  ( tabulate_2d n n (\i j -> 70 + 16 * uniform 1 (i * n + j))
  , tabulate_2d n n (\i j -> uniform 2 (i * n + j))
  )

entry kernel [n] [m] (t: [n][m]f32) (p: [n][m]f32) : [n][m]f32 =
  loop t for _i < 360i32 do step p t

entry checksum [n] [m] (t: [n][m]f32) = digest_f32 (flatten t)
