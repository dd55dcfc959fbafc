-- | Fourier transforms of any length, in one to three dimensions.
--
-- `fft` is for `f64`, `fft_f32` for `f32`.  Complex numbers are pairs of a real and an imaginary
-- part.  The transform of `xs` is, at `k`, the sum of all `xs[j]` times the root of unity
-- `exp (-2 * pi * i * j * k / n)`.  It is wrong by at most `4 * (log2 n + 8) * epsilon` of the norm
-- of the true one, also of lengths with great prime factors (`13 * (log2 n + 8) * epsilon`).

local module make_fft (F: float) = {
  -- | A complex number: real and imaginary part.
  type complex = (F.t, F.t)

  local def zero : complex = (F.i32 0, F.i32 0)
  local def add (a: complex) (b: complex) : complex = (a.0 F.+ b.0, a.1 F.+ b.1)
  local def less (a: complex) (b: complex) : complex = (a.0 F.- b.0, a.1 F.- b.1)
  local def times (a: complex) (b: complex) : complex =
    (a.0 F.* b.0 F.- a.1 F.* b.1, a.0 F.* b.1 F.+ a.1 F.* b.0)
  local def conjugate (a: complex) : complex = (a.0, F.neg a.1)

  -- | A root of unity: `exp (-pi * i * j / n)`.
  local def root (n: i64) (j: i64) : complex =
    let angle = F.from_fraction j n
    in (F.cospi angle, F.neg (F.sinpi angle))

  -- | The factor of `n` that a pass takes away: 1 if all are too great for that.  (For 16, twice 4
  -- are faster than 8 and 2.)
  local def factor (n: i64) : i64 =
    if n % 8 == 0 && n % 32 != 16 then 8
    else if n % 4 == 0 then 4
    else
      let (_, found) =
        loop (r, found) = (2, 1) while found == 1 && r < 32 do
          (r + 1, if n % r == 0 then r else 1)
      in found

  -- | A pass: `length` is that of the transforms that are left to do of those of length `n`, for
  -- `stride` columns each; `radix` divides it.
  local def pass [n] [size] (radix: i64) (length: i64) (stride: i64) (roots: [n]complex)
                            (xs: [size]complex) : [size]complex =
    let parts = length / radix
    let element (p: i64) (k: i64) (q: i64) =
      let step = k * (n / radix)
      let (sum, _) =
        loop (sum, at) = (zero, p * k * (n / length)) for j < radix do
          let next = at + step
          in ( add sum (times xs[q + stride * (p + parts * j)] roots[at])
             , if next >= n then next - n else next )
      in sum
    in flatten_3d (tabulate_3d parts radix stride element) :> [size]complex

  -- | The transform of four numbers.
  local def of_four (x0: complex) (x1: complex) (x2: complex) (x3: complex)
                    : (complex, complex, complex, complex) =
    let (even, odd) = (add x0 x2, add x1 x3)
    let (less_even, less_odd) = (less x0 x2, less x1 x3)
    let turned = (less_odd.1, F.neg less_odd.0)
    in (add even odd, add less_even turned, less even odd, less less_even turned)

  -- | A pass of radix 4 with few columns: neighbours are of different transforms.
  local def first_pass [n] [size] (length: i64) (stride: i64) (roots: [n]complex)
                                  (xs: [size]complex) : [size]complex =
    let parts = length / 4
    let quarter = parts * stride
    let butterfly (i: i64) =
      let x (j: i64) = xs[i + j * quarter]
      let (y0, y1, y2, y3) = of_four (x 0) (x 1) (x 2) (x 3)
      let at = i / stride * (n / length)
      in (y0, times y1 roots[at], times y2 roots[2 * at], times y3 roots[3 * at])
    let (y0, y1, y2, y3) = unzip4 (tabulate quarter butterfly)
    in map (\(y: [quarter]complex) -> unflatten (y :> [parts * stride]complex)) [y0, y1, y2, y3]
       |> transpose |> flatten_3d :> [size]complex

  -- | The first pass for a single column, of radix 8, by steps of 4 and 2: what it makes of its
  -- numbers lies together.
  local def pass_of_eight [n] (roots: [n]complex) (xs: [n]complex) : [n]complex =
    let parts = n / 8
    let butterfly (p: i64) =
      let step (j: i64) =
        let x (i: i64) = xs[p + parts * (j + 2 * i)]
        in of_four (x 0) (x 1) (x 2) (x 3)
      let (a0, a1, a2, a3) = step 0
      let (b0, b1, b2, b3) = step 1
      let two (a: complex) (b: complex) (k: i64) =
        let b = times b roots[k * parts]
        in (times (add a b) roots[p * k], times (less a b) roots[p * (k + 4)])
      let (y0, y4) = two a0 b0 0
      let (y1, y5) = two a1 b1 1
      let (y2, y6) = two a2 b2 2
      let (y3, y7) = two a3 b3 3
      in [y0, y1, y2, y3, y4, y5, y6, y7]
    in flatten (tabulate parts butterfly) :> [n]complex

  -- | The same of radix 16, by two steps of 4.
  local def pass_of_sixteen [n] (roots: [n]complex) (xs: [n]complex) : [n]complex =
    let parts = n / 16
    let root (k: i64) = roots[k * parts]
    let butterfly (p: i64) =
      let step (j: i64) =
        let x (i: i64) = xs[p + parts * (j + 4 * i)]
        let (y0, y1, y2, y3) = of_four (x 0) (x 1) (x 2) (x 3)
        in (y0, times y1 (root j), times y2 (root (2 * j)), times y3 (root (3 * j)))
      let (a0, a1, a2, a3) = step 0
      let (b0, b1, b2, b3) = step 1
      let (c0, c1, c2, c3) = step 2
      let (d0, d1, d2, d3) = step 3
      let (y0, y4, y8, y12) = of_four a0 b0 c0 d0
      let (y1, y5, y9, y13) = of_four a1 b1 c1 d1
      let (y2, y6, y10, y14) = of_four a2 b2 c2 d2
      let (y3, y7, y11, y15) = of_four a3 b3 c3 d3
      let turn (y: complex) (k: i64) = times y roots[p * k]
      in [ y0, turn y1 1, turn y2 2, turn y3 3, turn y4 4, turn y5 5, turn y6 6, turn y7 7
         , turn y8 8, turn y9 9, turn y10 10, turn y11 11, turn y12 12, turn y13 13, turn y14 14
         , turn y15 15 ]
    in flatten (tabulate parts butterfly) :> [n]complex

  -- | Transforms of all columns of a table with `n` rows, where `n` has small factors: Stockham's
  -- algorithm, which needs no reordering (Van Loan, Computational Frameworks for the Fast Fourier
  -- Transform, 1.7).
  local def by_factors [size] (is_power_of_2: bool) (n: i64) (xs: [size]complex) : [size]complex =
    let roots = tabulate n (\j -> root n (2 * j))
    let (xs, length, stride) =
      if size == n && n % 16 == 0
      then (pass_of_sixteen roots (xs :> [n]complex) :> [size]complex, n / 16, 16)
      else if size == n && n % 8 == 0
      then (pass_of_eight roots (xs :> [n]complex) :> [size]complex, n / 8, 8)
      else (xs, n, size / n)
    let (xs, _, _) =
      loop (xs: [size]complex, length, stride) while length > 1 do
        let is_narrow = stride < 16 && length % 4 == 0
        let radix = if is_narrow then 4 else factor length
        -- What is known when a pass is compiled makes it fast.
        let xs =
          if is_narrow then first_pass length stride roots xs
          else if radix == 8 then pass 8 length stride roots xs
          else if radix == 4 then pass 4 length stride roots xs
          else if is_power_of_2 || radix == 2 then pass 2 length stride roots xs
          else if radix == 5 then pass 5 length stride roots xs
          else if radix == 3 then pass 3 length stride roots xs
          else pass radix length stride roots xs
        in (xs, length / radix, stride * radix)
    in xs

  -- | The same for any `n`, as a convolution of a length that is a power of 2 (Bluestein, A linear
  -- filtering approach to the computation of discrete Fourier transform, 1970).
  local def by_convolution [size] (n: i64) (xs: [size]complex) : [size]complex =
    let columns = size / n
    let length = loop m = 1 while m < 2 * n - 1 do 2 * m
    let chirp (j: i64) = root n (j * j % (2 * n))
    let padded =
      tabulate (length * columns) (\i ->
        let j = i / columns
        in if j < n then times xs[i] (chirp j) else zero)
    let filter =
      tabulate length (\j ->
        if j < n then conjugate (chirp j)
        else if length - j < n then conjugate (chirp (length - j))
        else zero)
    let filter = by_factors true length filter
    let spectrum = by_factors true length padded
    -- The inverse of the product, by conjugates.
    let product = map2 (\x i -> conjugate (times x filter[i / columns])) spectrum (indices spectrum)
    let convolved = by_factors true length product
    let scale = F.recip (F.i64 length)
    in tabulate size (\i ->
         let c = conjugate convolved[i]
         in times (scale F.* c.0, scale F.* c.1) (chirp (i / columns)))

  -- | Transforms of all columns of a table with `n` rows.
  local def of_columns [size] (n: i64) (xs: [size]complex) : [size]complex =
    let rest = loop m = n while m > 1 && factor m > 1 do m / factor m
    in if size == 0 then xs else if rest == 1 then by_factors false n xs else by_convolution n xs

  -- | The same, and the table transposed.
  local def turned [size] (n: i64) (xs: [size]complex) : [size]complex =
    let columns = if n == 0 then 0 else size / n
    let rows = unflatten (of_columns n xs :> [n * columns]complex)
    in flatten (transpose rows) :> [size]complex

  -- | The inverse by the forward transform: conjugates of both, divided by the number of elements.
  local def inverse_by [size] (forward: [size]complex -> [size]complex) (xs: [size]complex)
                              : [size]complex =
    let scale = F.recip (F.i64 size)
    in map (\x -> (scale F.* x.0, F.neg (scale F.* x.1))) (forward (map conjugate xs))

  -- | The transform: `fft.forward [(1, 0), (2, 0), (3, 0), (2, 0)]` is
  -- `[(8, 0), (-2, 0), (0, 0), (-2, 0)]`.
  def forward [n] (xs: [n]complex) : [n]complex = of_columns n xs

  -- | What a transform is of: `fft.inverse (fft.forward [(1, 0), (2, 0), (3, 0), (4, 0)])` is
  -- `[(1, 0), (2, 0), (3, 0), (4, 0)]`.
  def inverse [n] (xs: [n]complex) : [n]complex = inverse_by (of_columns n) xs

  -- | The first `n / 2 + 1` elements of the transform of real numbers; the others are conjugates of
  -- these.  `fft.real [1, 2, 3, 2] :> [3]fft.complex` is `[(8, 0), (-2, 0), (0, 0)]`.
  --
  -- Pairs of numbers are transformed as complex ones.
  def real [n] (xs: [n]F.t) : [n / 2 + 1]complex =
    let half = n / 2
    in if n % 2 == 1 || n == 0
       then take (n / 2 + 1) (of_columns n (map (\x -> (x, F.i32 0)) xs) ++ [zero])
       else
       let pairs = of_columns half (tabulate half (\i -> (xs[2 * i], xs[2 * i + 1])))
       in tabulate (n / 2 + 1) (\k ->
            let (a, b) = (pairs[k % half], conjugate pairs[(half - k) % half])
            let even = add a b
            let odd = times (root half k) (a.1 F.- b.1, b.0 F.- a.0)
            in (F.f64 0.5 F.* (even.0 F.+ odd.0), F.f64 0.5 F.* (even.1 F.+ odd.1)))

  -- | The `n` real numbers of whose transform these are the first `n / 2 + 1` elements:
  -- `fft.inverse_real 4 [(8, 0), (-2, 0), (0, 0)]` is `[1, 2, 3, 2]`.
  def inverse_real [m] (n: i64) (xs: [m]complex) : [n]F.t =
    let xs = assert (m == n / 2 + 1) xs
    let all = tabulate n (\k -> if 2 * k <= n then xs[k] else conjugate xs[n - k])
    in map (.0) (inverse all)

  -- | The transform of rows and columns: `fft.forward_2d [[(1, 0), (2, 0)], [(3, 0), (4, 0)]]` is
  -- `[[(10, 0), (-2, 0)], [(-4, 0), (0, 0)]]`.
  def forward_2d [n] [m] (xs: [n][m]complex) : [n][m]complex =
    unflatten (turned m (turned n (flatten xs)))

  -- | What a transform of rows and columns is of:
  -- `fft.inverse_2d [[(10, 0), (-2, 0)], [(-4, 0), (0, 0)]]` is
  -- `[[(1, 0), (2, 0)], [(3, 0), (4, 0)]]`.
  def inverse_2d [n] [m] (xs: [n][m]complex) : [n][m]complex =
    unflatten (inverse_by (\ys -> turned m (turned n ys)) (flatten xs))

  -- | The transform of all three dimensions: `fft.forward_3d [[[(1, 0), (2, 0)]]]` is
  -- `[[[(3, 0), (-1, 0)]]]`.
  def forward_3d [n] [m] [k] (xs: [n][m][k]complex) : [n][m][k]complex =
    unflatten_3d (turned k (turned m (turned n (flatten_3d xs))))

  -- | What a transform of all three dimensions is of: `fft.inverse_3d [[[(3, 0), (-1, 0)]]]` is
  -- `[[[(1, 0), (2, 0)]]]`.
  def inverse_3d [n] [m] [k] (xs: [n][m][k]complex) : [n][m][k]complex =
    unflatten_3d (inverse_by (\ys -> turned k (turned m (turned n ys))) (flatten_3d xs))
}

module fft = make_fft f64

module fft_f32 = make_fft f32
