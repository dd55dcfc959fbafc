-- The real and the imaginary parts as sums of their own.
module core = import "../core/mriq"

entry input = core.input
entry kernel [n] [k] (x: [n]f32) (y: [n]f32) (z: [n]f32)
                     (kx: [k]f32) (ky: [k]f32) (kz: [k]f32) (phi: [k]f32) : ([n]f32, [n]f32) =
  let part (f: f32 -> f32) i =
    f32.sum (tabulate k (\j ->
      phi[j] * f (2 * f32.pi * (kx[j] * x[i] + ky[j] * y[i] + kz[j] * z[i]))))
  in (tabulate n (part f32.cos), tabulate n (part f32.sin))
entry checksum = core.checksum
