-- Escape counts row by row, with as many steps for each point.
module core = import "../core/mandelbrot"

def escape (cr: f32) (ci: f32) : i32 =
  let step (zr, zi, k) =
    if zr * zr + zi * zi <= 4 then (zr * zr - zi * zi + cr, 2 * zr * zi + ci, k + 1) else (zr, zi, k)
  let (_, _, k) = loop z = (0, 0, 0) for _i < 255i32 do step z
  in k

entry input = core.input
entry kernel (n: i64) : [n][n]i32 =
  let h = 3 / f32.i64 n
  let places (from: f32) = map (\i -> from + (f32.i64 i + 0.5) * h) (iota n)
  in map (\ci -> map (\cr -> escape cr ci) (places (-2.25))) (places (-1.5))
entry checksum = core.checksum
