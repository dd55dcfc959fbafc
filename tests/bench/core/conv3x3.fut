-- A weighted mean of each pixel's neighbourhood; the edges of a picture.  Borders replicated.
import "common"

def stencil [n] [m] (f: ((i64, i64) -> f32) -> f32) (image: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\i j ->
    f (\(di, dj) -> image[i64.max 0 (i64.min (n - 1) (i + di)), i64.max 0 (i64.min (m - 1) (j + dj))]))

entry input (n: i64) = tabulate_2d n n (\i j -> uniform 1 (i * n + j))

entry kernel_conv [n] [m] (image: [n][m]f32) =
  stencil (\at -> (at (-1, -1) + 2 * at (-1, 0) + 3 * at (-1, 1)
                   + 4 * at (0, -1) + 5 * at (0, 0) + 4 * at (0, 1)
                   + 3 * at (1, -1) + 2 * at (1, 0) + at (1, 1)) / 25)
          image

entry kernel_canny [n] [m] (image: [n][m]f32) =
  let blurred =
    stencil (\at -> (at (-1, -1) + 2 * at (-1, 0) + at (-1, 1)
                     + 2 * at (0, -1) + 4 * at (0, 0) + 2 * at (0, 1)
                     + at (1, -1) + 2 * at (1, 0) + at (1, 1)) / 16)
            image
  in stencil (\at ->
                let gx = at (-1, 1) + 2 * at (0, 1) + at (1, 1)
                         - at (-1, -1) - 2 * at (0, -1) - at (1, -1)
                let gy = at (1, -1) + 2 * at (1, 0) + at (1, 1)
                         - at (-1, -1) - 2 * at (-1, 0) - at (-1, 1)
                in f32.sqrt (gx * gx + gy * gy))
             blurred

entry checksum [n] [m] (image: [n][m]f32) = digest_f32 (flatten image)
