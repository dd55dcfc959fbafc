-- Speckles taken out of an image: 100 steps of anisotropic diffusion, edges replicated.  (After
-- Yu and Acton, "Speckle reducing anisotropic diffusion", IEEE Transactions on Image Processing
-- 11(11), 2002.)
import "common"

-- | The differences to a pixel's neighbours: north, south, west, east.
def differences [n] [m] (image: [n][m]f32) (i: i64) (j: i64) : (f32, f32, f32, f32) =
  let c = image[i, j]
  in ( image[i64.max 0 (i - 1), j] - c
     , image[i64.min (n - 1) (i + 1), j] - c
     , image[i, i64.max 0 (j - 1)] - c
     , image[i, i64.min (m - 1) (j + 1)] - c)

-- | How far the whole image varies, relative to its brightness.
def variation [n] [m] (image: [n][m]f32) : f32 =
  let count = f64.i64 (n * m)
  let (sum, squares) =
    reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0)
           (map (\x -> (f64.f32 x, f64.f32 x * f64.f32 x)) (flatten image))
  let mean = sum / count
  in f32.f64 ((squares / count - mean * mean) / (mean * mean))

-- | How well a pixel passes on, between 0 and 1: little where the image has an edge.  (That is
-- 1/(1 + (q - q0)/(q0 (1 + q0))), where q = (g/2 - l^2/16)/(1 + l/4)^2 with gradient g and laplacian
-- l relative to the pixel x; all of it times x^2.)
def coefficient [n] [m] (image: [n][m]f32) (q0: f32) (i: i64) (j: i64) : f32 =
  let x = image[i, j]
  let (dn, ds, dw, de) = differences image i j
  let gradient = dn * dn + ds * ds + dw * dw + de * de
  let laplacian = dn + ds + dw + de
  let numerator = 0.5 * gradient - 0.0625 * (laplacian * laplacian)
  let slope = x + 0.25 * laplacian
  let denominator = slope * slope
  let weight = 1 / (q0 * (1 + q0))
  in f32.max 0 (f32.min 1 (denominator / (denominator + (numerator - q0 * denominator) * weight)))

def step [n] [m] (image: [n][m]f32) : [n][m]f32 =
  let q0 = variation image
  let c = tabulate_2d n m (coefficient image q0)
  in tabulate_2d n m (\i j ->
       let (dn, ds, dw, de) = differences image i j
       let south = c[i64.min (n - 1) (i + 1), j]
       let east = c[i, i64.min (m - 1) (j + 1)]
       in image[i, j] + 0.125 * (c[i, j] * (dn + dw) + south * ds + east * de))

entry input (n: i64) = tabulate_2d n n (\i j -> f32.exp (uniform 1 (i * n + j)))

entry kernel [n] [m] (image: [n][m]f32) : [n][m]f32 = loop image for _i < 100i32 do step image

entry checksum [n] [m] (image: [n][m]f32) = digest_f32 (flatten image)
