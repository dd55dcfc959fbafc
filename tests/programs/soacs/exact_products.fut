-- Products of numbers of fewer bits are exact, and may be one instruction with the sum that they go
-- into; others are rounded before.
-- ==
-- entry: dot
-- input { [0.1f32, 1e30f32, -1e30f32, 1e-40f32, 3f32] [0.3f32, 1e30f32, 1e30f32, 1e-45f32, 7f32] }
-- output { 21f64 }
-- input { [1e-45f32, 1e-45f32] [1e-45f32, 0.5f32] }
-- output { 7.006492321624085e-46f64 }
-- input { [f32.inf, 1f32] [0f32, 3f32] }
-- output { f64.nan }
-- entry: moments
-- input { 10000i64 }
-- output { 3266592147.5959425f64 -3264737502.312404f64 999500.0148937106f64 }
-- entry: scaled
-- input { [0.1f32, 1e-45f32, -3e38f32] }
-- output { [0.06250000093132257f64, 8.758115402030107e-46f64, -1.8750000034360973e38f64]
--          [0.011000000149011611f64, 0.001f64, -3.000000005497756e37f64] }
-- entry: rounded
-- input { [1.0000000001f64, 0.1f64, 3.3e-200f64, 1e300f64] }
-- output { [0f64, 0f64, 0f64, f64.nan] }
-- entry: negated
-- input { 200i64 }
-- output { 32.56472368309957f64 }

entry dot (xs: []f32) (ys: []f32) : f64 =
  reduce (+) 0 (map2 (\x y -> f64.f32 x * f64.f32 y) xs ys)

entry moments (n: i64) : (f64, f64, f64) =
  let xs = tabulate n (\i -> f32.i64 (i * 7919 % 1000003) / 1009)
  let squares = f64.sum (map (\x -> f64.f32 x * f64.f32 x) xs)
  let differences = reduce (\a b -> a + b) 0 (map2 (\x i -> f64.f32 x * 0.375 - f64.f32 x * f64.f32 x) xs (iota n))
  let halves = f64.sum (map (\i -> f64.f16 (f16.i64 (i % 2000)) * f64.f32 0.1) (iota n))
  in (squares, differences, halves)

-- | Constants of few bits, and one that has too many.
entry scaled (xs: []f32) : ([]f64, []f64) =
  (map (\x -> f64.f32 x * 0.625 + 1e-300) xs, map (\x -> f64.f32 x * 0.1 + 1e-3) xs)

entry rounded (xs: []f64) : []f64 =
  map (\x -> let p = x * x in x * x - p) xs

-- | A difference of products that are rounded, of which one has a negated factor.
entry negated (n: i64) : f64 =
  let xs = tabulate n (\i -> f64.sin (f64.i64 i))
  let ys = tabulate n (\i -> f64.cos (f64.i64 (i * i)))
  in f64.sum (map2 (\x y -> x * y - (-y) * (x + 3)) xs ys)
