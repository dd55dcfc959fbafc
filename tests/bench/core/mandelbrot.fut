-- How many steps each point of the plane takes to escape, at most 255.
import "common"

def escape (cr: f32) (ci: f32) : i32 =
  let (_, _, k) =
    loop (zr, zi, k) = (0, 0, 0) while k < 255 && zr * zr + zi * zi <= 4 do
      (zr * zr - zi * zi + cr, 2 * zr * zi + ci, k + 1)
  in k

entry input (n: i64) = n

entry kernel (n: i64) =
  let h = 3 / f32.i64 n
  in tabulate_2d n n (\i j ->
       escape (-2.25 + (f32.i64 j + 0.5) * h) (-1.5 + (f32.i64 i + 0.5) * h))

entry checksum [n] (counts: [n][n]i32) = digest_i32 (flatten counts)
