-- All systems together: a loop over unknowns, each step a map over systems.
module core = import "../core/tridiag"

entry input = core.input
entry kernel [n] [m] (below: [n][m]f32) (above: [n][m]f32) (right: [n][m]f32) : [n][m]f32 =
  let (a, u, r) = (transpose below, transpose above, transpose right)
  let zeros = replicate m (replicate n 0)
  let (c, d) =
    loop (c, d) = (copy zeros, copy zeros) for j < m do
      let step i =
        let (c', d') = if j == 0 then (0, 0) else (c[j - 1, i], d[j - 1, i])
        let pivot = 2 + f32.abs a[j, i] + f32.abs u[j, i] - a[j, i] * c'
        in (u[j, i] / pivot, (r[j, i] - a[j, i] * d') / pivot)
      let (cs, ds) = unzip (tabulate n step)
      in (c with [j] = cs, d with [j] = ds)
  let x =
    loop x = copy d for i < m - 1 do
      let j = m - 2 - i
      in x with [j] = map3 (\d c x' -> d - c * x') d[j] c[j] (copy x[j + 1])
  in transpose x
entry checksum = core.checksum
