-- The matrix Q of magnetic resonance imaging: what 2048 samples of the scanner's path contribute to
-- each voxel.  (After S. S. Stone et al., "Accelerating advanced MRI reconstructions on GPUs",
-- Journal of Parallel and Distributed Computing 68(10), 2008.)
import "common"

type vector = (f32, f32, f32)

def turns ((kx, ky, kz): vector) ((x, y, z): vector) : f32 = 2 * f32.pi * (kx * x + ky * y + kz * z)

entry input (n: i64) =
  let centred (s: u64) = tabulate n (\i -> uniform s i - 0.5)
  let path (s: u64) = tabulate 2048 (\i -> 4 * uniform s i - 2)
  in (centred 1, centred 2, centred 3, path 4, path 5, path 6, uniforms 7 2048)

entry kernel [n] [k] (x: [n]f32) (y: [n]f32) (z: [n]f32)
                     (kx: [k]f32) (ky: [k]f32) (kz: [k]f32) (phi: [k]f32) : ([n]f32, [n]f32) =
  unzip (map (\voxel ->
           let of_sample k p =
             let angle = turns k voxel
             in (p * f32.cos angle, p * f32.sin angle)
           in reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (map2 of_sample (zip3 kx ky kz) phi))
         (zip3 x y z))

entry checksum [n] (re: [n]f32) (im: [n]f32) = both (digest_f32 re) (digest_f32 im)
