-- Sums and variances that lose digits, for `sinter compare`.
entry main (xs: []f64) = reduce (+) 0 xs

entry naive [n] (xs: [n]f32) =
  let mean = f32.sum xs / f32.i64 n
  in (mean, f32.sum (map (\x -> x * x) xs) / f32.i64 n - mean * mean)

-- At more digits the loop runs longer.
entry halvings (x: f64) =
  loop (x, n) = (x, 0i32) while 1 + x > 1 && n < 100 do (x / 2, n + 1)

entry sines (n: i64) = map (\i -> {angle = f64.i64 i, sine = f64.sin (f64.i64 i)}) (iota n)

entry half (x: f16) = x * x

entry divide (x: i32) = 1 / x
