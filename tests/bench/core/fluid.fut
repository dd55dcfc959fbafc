-- Diffusion in a fluid, as an implicit step has it: 40 relaxations (Jacobi), the border fixed.
-- (After J. Stam, "Stable fluids", SIGGRAPH 1999.)
import "common"

def relaxed [n] [m] (x0: [n][m]f32) (x: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\i j ->
    if i == 0 || j == 0 || i == n - 1 || j == m - 1 then x0[i, j]
    else (x0[i, j] + 0.5 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])) / 3)

entry input (n: i64) = tabulate_2d n n (\i j -> uniform 1 (i * n + j))

entry kernel [n] [m] (x0: [n][m]f32) : [n][m]f32 =
  loop x = x0 for _i < 40i32 do relaxed x0 x

entry checksum [n] [m] (x: [n][m]f32) = digest_f32 (flatten x)
