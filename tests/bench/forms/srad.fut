-- Speckles taken out of an image, with arrays of differences.
module core = import "../core/srad"

def step [n] [m] (image: [n][m]f32) : [n][m]f32 =
  let q0 = core.variation image
  let at i j = image[i64.max 0 (i64.min (n - 1) i), i64.max 0 (i64.min (m - 1) j)]
  let north = tabulate_2d n m (\i j -> at (i - 1) j - at i j)
  let south = tabulate_2d n m (\i j -> at (i + 1) j - at i j)
  let west = tabulate_2d n m (\i j -> at i (j - 1) - at i j)
  let east = tabulate_2d n m (\i j -> at i (j + 1) - at i j)
  let weight = 1 / (q0 * (1 + q0))
  let passes x dn ds dw de =
    let gradient = dn * dn + ds * ds + dw * dw + de * de
    let laplacian = dn + ds + dw + de
    let numerator = 0.5 * gradient - 0.0625 * (laplacian * laplacian)
    let slope = x + 0.25 * laplacian
    let denominator = slope * slope
    in f32.max 0 (f32.min 1 (denominator / (denominator + (numerator - q0 * denominator) * weight)))
  let c = map5 (map5 passes) image north south west east
  let flow i j =
    c[i, j] * (north[i, j] + west[i, j])
    + c[i64.min (n - 1) (i + 1), j] * south[i, j] + c[i, i64.min (m - 1) (j + 1)] * east[i, j]
  in map2 (map2 (\x f -> x + 0.125 * f)) image (tabulate_2d n m flow)

entry input = core.input
entry kernel [n] [m] (image: [n][m]f32) : [n][m]f32 = loop image for _i < 100i32 do step image
entry checksum = core.checksum
