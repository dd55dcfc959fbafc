-- Diffusion with the interior as slices, put back into the whole.
module core = import "../core/fluid"

def relaxed [n] [m] (x0: [n][m]f32) (x: *[n][m]f32) : *[n][m]f32 =
  let (h, w) = (n - 2, m - 2)
  let part (a: [n][m]f32) (i: i64) (j: i64) = a[i:i + h, j:j + w] :> [h][w]f32
  let around = map4 (map4 (\a b c d -> a + b + c + d)) (part x 0 1) (part x 2 1) (part x 1 0) (part x 1 2)
  let inside = map2 (map2 (\z s -> (z + 0.5 * s) / 3)) (part x0 1 1) around
  in x with [1:n - 1, 1:m - 1] = inside

entry input = core.input
entry kernel [n] [m] (x0: [n][m]f32) : [n][m]f32 =
  loop x = copy x0 for _i < 40i32 do relaxed x0 x
entry checksum = core.checksum
