-- Every function of the module `f64`, against values computed with 200 bits and rounded.
-- ==
-- entry: sqrt
-- input { [0.0f64, 2.0f64, 0.25f64, 10000.0f64] }
-- output { [0.0f64, 1.4142135623730951f64, 0.5f64, 100.0f64] }

-- ==
-- entry: rsqrt
-- input { [2.0f64, 0.25f64, 10000.0f64] }
-- output { [0.7071067811865476f64, 2.0f64, 0.01f64] }

-- ==
-- entry: cbrt
-- input { [0.0f64, -27.0f64, 2.0f64] }
-- output { [0.0f64, -3.0f64, 1.2599210498948732f64] }

-- ==
-- entry: exp
-- input { [0.0f64, 1.0f64, -3.5f64, 10.0f64] }
-- output { [1.0f64, 2.718281828459045f64, 0.0301973834223185f64, 22026.465794806718f64] }

-- ==
-- entry: log
-- input { [1.0f64, 2.5f64, 0.001f64] }
-- output { [0.0f64, 0.9162907318741551f64, -6.907755278982137f64] }

-- ==
-- entry: log2
-- input { [1.0f64, 8.0f64, 0.3f64] }
-- output { [0.0f64, 3.0f64, -1.7369655941662063f64] }

-- ==
-- entry: log10
-- input { [1.0f64, 1000.0f64, 0.3f64] }
-- output { [0.0f64, 3.0f64, -0.5228787452803376f64] }

-- ==
-- entry: log1p
-- input { [0.0f64, 0.0001f64, 3.0f64, -0.5f64] }
-- output { [0.0f64, 9.999500033330834e-05f64, 1.3862943611198906f64, -0.6931471805599453f64] }

-- ==
-- entry: sin
-- input { [0.0f64, 1.0f64, -2.5f64, 10.0f64] }
-- output { [0.0f64, 0.8414709848078965f64, -0.5984721441039565f64, -0.5440211108893698f64] }

-- ==
-- entry: cos
-- input { [0.0f64, 1.0f64, -2.5f64, 10.0f64] }
-- output { [1.0f64, 0.5403023058681398f64, -0.8011436155469337f64, -0.8390715290764524f64] }

-- ==
-- entry: tan
-- input { [0.0f64, 1.0f64, -0.5f64] }
-- output { [0.0f64, 1.5574077246549023f64, -0.5463024898437905f64] }

-- ==
-- entry: sinpi
-- input { [0.0f64, 0.5f64, 1.0f64, -0.25f64, 1.75f64] }
-- output { [0.0f64, 1.0f64, 0.0f64, -0.7071067811865476f64, -0.7071067811865476f64] }

-- ==
-- entry: cospi
-- input { [0.0f64, 0.5f64, 1.0f64, -0.25f64, 1.75f64] }
-- output { [1.0f64, 0.0f64, -1.0f64, 0.7071067811865476f64, 0.7071067811865476f64] }

-- ==
-- entry: tanpi
-- input { [0.0f64, 0.25f64, -0.125f64] }
-- output { [0.0f64, 1.0f64, -0.41421356237309503f64] }

-- ==
-- entry: asin
-- input { [0.0f64, 1.0f64, -0.5f64] }
-- output { [0.0f64, 1.5707963267948966f64, -0.5235987755982989f64] }

-- ==
-- entry: acos
-- input { [0.0f64, 1.0f64, -0.5f64] }
-- output { [1.5707963267948966f64, 0.0f64, 2.0943951023931957f64] }

-- ==
-- entry: atan
-- input { [0.0f64, 1.0f64, -30.0f64] }
-- output { [0.0f64, 0.7853981633974483f64, -1.5374753309166493f64] }

-- ==
-- entry: asinpi
-- input { [0.0f64, 1.0f64, -0.5f64] }
-- output { [0.0f64, 0.5f64, -0.16666666666666666f64] }

-- ==
-- entry: acospi
-- input { [0.0f64, 1.0f64, -0.5f64] }
-- output { [0.5f64, 0.0f64, 0.6666666666666666f64] }

-- ==
-- entry: atanpi
-- input { [0.0f64, 1.0f64, -30.0f64] }
-- output { [0.0f64, 0.25f64, -0.4893935975944646f64] }

-- ==
-- entry: sinh
-- input { [0.0f64, 1.0f64, -2.5f64] }
-- output { [0.0f64, 1.1752011936438014f64, -6.0502044810397875f64] }

-- ==
-- entry: cosh
-- input { [0.0f64, 1.0f64, -2.5f64] }
-- output { [1.0f64, 1.5430806348152437f64, 6.132289479663686f64] }

-- ==
-- entry: tanh
-- input { [0.0f64, 1.0f64, -2.5f64] }
-- output { [0.0f64, 0.7615941559557649f64, -0.9866142981514303f64] }

-- ==
-- entry: asinh
-- input { [0.0f64, 1.0f64, -2.5f64] }
-- output { [0.0f64, 0.881373587019543f64, -1.6472311463710958f64] }

-- ==
-- entry: acosh
-- input { [1.0f64, 2.5f64] }
-- output { [0.0f64, 1.566799236972411f64] }

-- ==
-- entry: atanh
-- input { [0.0f64, 0.5f64, -0.9f64] }
-- output { [0.0f64, 0.5493061443340549f64, -1.4722194895832204f64] }

-- ==
-- entry: gamma
-- input { [1.0f64, 5.0f64, 0.5f64, 2.5f64] }
-- output { [1.0f64, 24.0f64, 1.772453850905516f64, 1.329340388179137f64] }

-- ==
-- entry: lgamma
-- input { [1.0f64, 5.0f64, 0.5f64, 20.0f64] }
-- output { [0.0f64, 3.1780538303479458f64, 0.5723649429247001f64, 39.339884187199495f64] }

-- ==
-- entry: erf
-- input { [0.0f64, 0.5f64, -2.0f64] }
-- output { [0.0f64, 0.5204998778130465f64, -0.9953222650189527f64] }

-- ==
-- entry: erfc
-- input { [0.0f64, 0.5f64, -2.0f64] }
-- output { [1.0f64, 0.4795001221869535f64, 1.9953222650189528f64] }

-- ==
-- entry: ceil
-- input { [1.2f64, -1.2f64, 3.0f64] }
-- output { [2.0f64, -1.0f64, 3.0f64] }

-- ==
-- entry: floor
-- input { [1.2f64, -1.2f64, 3.0f64] }
-- output { [1.0f64, -2.0f64, 3.0f64] }

-- ==
-- entry: trunc
-- input { [1.7f64, -1.7f64, 3.0f64] }
-- output { [1.0f64, -1.0f64, 3.0f64] }

-- ==
-- entry: round
-- input { [0.5f64, 1.5f64, 2.5f64, -0.5f64, -1.5f64, 2.4f64] }
-- output { [0.0f64, 2.0f64, 2.0f64, 0.0f64, -2.0f64, 2.0f64] }

-- ==
-- entry: recip
-- input { [1.0f64, 3.0f64, -0.125f64] }
-- output { [1.0f64, 0.3333333333333333f64, -8.0f64] }

-- ==
-- entry: neg
-- input { [0.0f64, 3.0f64, -0.125f64] }
-- output { [0.0f64, -3.0f64, 0.125f64] }

-- ==
-- entry: abs
-- input { [0.0f64, 3.0f64, -0.125f64] }
-- output { [0.0f64, 3.0f64, 0.125f64] }

-- ==
-- entry: sgn
-- input { [0.0f64, 3.0f64, -0.125f64] }
-- output { [0.0f64, 1.0f64, -1.0f64] }

-- ==
-- entry: add
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [3.5f64, -5.5f64, 0.4f64, -1.0f64, 1000.001f64] }

-- ==
-- entry: sub
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [-0.5f64, -9.5f64, -0.19999999999999998f64, 7.0f64, 999.999f64] }

-- ==
-- entry: mul
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [3.0f64, -15.0f64, 0.03f64, -12.0f64, 1.0f64] }

-- ==
-- entry: div
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [0.75f64, -3.75f64, 0.33333333333333337f64, -0.75f64, 1000000.0f64] }

-- ==
-- entry: mod
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [1.5f64, -1.5f64, 0.1f64, 3.0f64, 0.0009999999999791833f64] }

-- ==
-- entry: pow
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [2.25f64, 56.25f64, 0.5011872336272724f64, 0.012345679012345678f64, 1.0069316688518042f64] }

-- ==
-- entry: max
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [2.0f64, 2.0f64, 0.3f64, 3.0f64, 1000.0f64] }

-- ==
-- entry: min
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [1.5f64, -7.5f64, 0.1f64, -4.0f64, 0.001f64] }

-- ==
-- entry: atan2
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [0.6435011087932844f64, -1.3101939350475555f64, 0.32175055439664224f64, 2.498091544796509f64, 1.5707953267948966f64] }

-- ==
-- entry: atan2pi
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [0.20483276469913345f64, -0.4170476823436803f64, 0.10241638234956674f64, 0.7951672353008665f64, 0.49999968169011383f64] }

-- ==
-- entry: hypot
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [2.5f64, 7.762087348130012f64, 0.31622776601683794f64, 5.0f64, 1000.0000000005f64] }

-- ==
-- entry: copysign
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [1.5f64, 7.5f64, 0.1f64, -3.0f64, 1000.0f64] }

-- ==
-- entry: equal
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [false, false, false, false, false] }

-- ==
-- entry: unequal
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [true, true, true, true, true] }

-- ==
-- entry: less
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [true, true, true, false, false] }

-- ==
-- entry: less_equal
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [true, true, true, false, false] }

-- ==
-- entry: greater
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [false, false, false, true, true] }

-- ==
-- entry: greater_equal
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64] }
-- output { [false, false, false, true, true] }

-- ==
-- entry: fma
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64]
--         [0.5f64, 0.25f64, 1.0f64, 0.0f64, 0.75f64] }
-- output { [3.5f64, -14.75f64, 1.03f64, -12.0f64, 1.75f64] }

-- ==
-- entry: mad
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64]
--         [0.5f64, 0.25f64, 1.0f64, 0.0f64, 0.75f64] }
-- output { [3.5f64, -14.75f64, 1.03f64, -12.0f64, 1.75f64] }

-- ==
-- entry: lerp
-- input { [1.5f64, -7.5f64, 0.1f64, 3.0f64, 1000.0f64]
--         [2.0f64, 2.0f64, 0.3f64, -4.0f64, 0.001f64]
--         [0.5f64, 0.25f64, 1.0f64, 0.0f64, 0.75f64] }
-- output { [1.75f64, -5.125f64, 0.3f64, 3.0f64, 250.00074999999993f64] }

-- ==
-- entry: ldexp
-- input { [1.0f64, -3.0f64, 5.0f64]
--         [3i32, -2i32, 0i32] }
-- output { [8.0f64, -0.75f64, 5.0f64] }

-- ==
-- entry: neighbours
-- input { }
-- output { 4607182418800017409u64 4607182418800017407u64 1u64 }

-- ==
-- entry: bits
-- input { [1.0f64, -2.5f64, 0.0f64] }
-- output { [4607182418800017408u64, 13836183955189006336u64, 0u64]
--          [1.0f64, -2.5f64, 0.0f64] }

-- ==
-- entry: one_bit
-- input { 1.0f64 }
-- output { 0i32 1i32 -1.0f64 1.0000000000000002f64 }

-- ==
-- entry: special
-- input { }
-- output { true true false false true true true 64i32 true }

-- ==
-- entry: constants
-- input { }
-- output { 3.141592653589793f64 2.718281828459045f64 }

-- ==
-- entry: folds
-- input { [1.5f64, -2.0f64, 4.0f64, 0.25f64] }
-- output { 3.75f64 -3.0f64 4.0f64 -2.0f64 }

-- ==
-- entry: folds_of_nothing
-- input { empty([0]f64) }
-- output { 0.0f64 1.0f64 -f64.inf f64.inf }

entry sqrt (xs: []f64) = map f64.sqrt xs
entry rsqrt (xs: []f64) = map f64.rsqrt xs
entry cbrt (xs: []f64) = map f64.cbrt xs
entry exp (xs: []f64) = map f64.exp xs
entry log (xs: []f64) = map f64.log xs
entry log2 (xs: []f64) = map f64.log2 xs
entry log10 (xs: []f64) = map f64.log10 xs
entry log1p (xs: []f64) = map f64.log1p xs
entry sin (xs: []f64) = map f64.sin xs
entry cos (xs: []f64) = map f64.cos xs
entry tan (xs: []f64) = map f64.tan xs
entry sinpi (xs: []f64) = map f64.sinpi xs
entry cospi (xs: []f64) = map f64.cospi xs
entry tanpi (xs: []f64) = map f64.tanpi xs
entry asin (xs: []f64) = map f64.asin xs
entry acos (xs: []f64) = map f64.acos xs
entry atan (xs: []f64) = map f64.atan xs
entry asinpi (xs: []f64) = map f64.asinpi xs
entry acospi (xs: []f64) = map f64.acospi xs
entry atanpi (xs: []f64) = map f64.atanpi xs
entry sinh (xs: []f64) = map f64.sinh xs
entry cosh (xs: []f64) = map f64.cosh xs
entry tanh (xs: []f64) = map f64.tanh xs
entry asinh (xs: []f64) = map f64.asinh xs
entry acosh (xs: []f64) = map f64.acosh xs
entry atanh (xs: []f64) = map f64.atanh xs
entry gamma (xs: []f64) = map f64.gamma xs
entry lgamma (xs: []f64) = map f64.lgamma xs
entry erf (xs: []f64) = map f64.erf xs
entry erfc (xs: []f64) = map f64.erfc xs
entry ceil (xs: []f64) = map f64.ceil xs
entry floor (xs: []f64) = map f64.floor xs
entry trunc (xs: []f64) = map f64.trunc xs
entry round (xs: []f64) = map f64.round xs
entry recip (xs: []f64) = map f64.recip xs
entry neg (xs: []f64) = map f64.neg xs
entry abs (xs: []f64) = map f64.abs xs
entry sgn (xs: []f64) = map f64.sgn xs
entry add [n] (xs: [n]f64) (ys: [n]f64) = map2 (f64.+) xs ys
entry sub [n] (xs: [n]f64) (ys: [n]f64) = map2 (f64.-) xs ys
entry mul [n] (xs: [n]f64) (ys: [n]f64) = map2 (f64.*) xs ys
entry div [n] (xs: [n]f64) (ys: [n]f64) = map2 (f64./) xs ys
entry mod [n] (xs: [n]f64) (ys: [n]f64) = map2 (f64.%) xs ys
entry pow [n] (xs: [n]f64) (ys: [n]f64) = map2 (f64.**) xs ys
entry max [n] (xs: [n]f64) (ys: [n]f64) = map2 f64.max xs ys
entry min [n] (xs: [n]f64) (ys: [n]f64) = map2 f64.min xs ys
entry atan2 [n] (xs: [n]f64) (ys: [n]f64) = map2 f64.atan2 xs ys
entry atan2pi [n] (xs: [n]f64) (ys: [n]f64) = map2 f64.atan2pi xs ys
entry hypot [n] (xs: [n]f64) (ys: [n]f64) = map2 f64.hypot xs ys
entry copysign [n] (xs: [n]f64) (ys: [n]f64) = map2 f64.copysign xs ys
entry equal [n] (xs: [n]f64) (ys: [n]f64) = map2 (f64.==) xs ys
entry unequal [n] (xs: [n]f64) (ys: [n]f64) = map2 (f64.!=) xs ys
entry less [n] (xs: [n]f64) (ys: [n]f64) = map2 (f64.<) xs ys
entry less_equal [n] (xs: [n]f64) (ys: [n]f64) = map2 (f64.<=) xs ys
entry greater [n] (xs: [n]f64) (ys: [n]f64) = map2 (f64.>) xs ys
entry greater_equal [n] (xs: [n]f64) (ys: [n]f64) = map2 (f64.>=) xs ys
entry fma [n] (xs: [n]f64) (ys: [n]f64) (zs: [n]f64) = map3 f64.fma xs ys zs
entry mad [n] (xs: [n]f64) (ys: [n]f64) (zs: [n]f64) = map3 f64.mad xs ys zs
entry lerp [n] (xs: [n]f64) (ys: [n]f64) (zs: [n]f64) = map3 f64.lerp xs ys zs
entry ldexp [n] (xs: [n]f64) (es: [n]i32) = map2 f64.ldexp xs es
entry neighbours : (u64, u64, u64) =
  (f64.to_bits (f64.nextafter 1 2), f64.to_bits (f64.nextafter 1 0), f64.to_bits (f64.nextafter 0 1))
entry bits (xs: []f64) = let bs = map f64.to_bits xs in (bs, map f64.from_bits bs)
entry one_bit (x: f64) =
  (f64.get_bit 0 x, f64.get_bit 60 x, f64.set_bit 63 x 1, f64.set_bit 0 x 1)
entry special : (bool, bool, bool, bool, bool, bool, bool, i32, bool) =
  ( f64.isnan f64.nan
  , f64.isinf (-f64.inf)
  , f64.isinf f64.nan
  , f64.isnan f64.inf
  , f64.highest == f64.inf
  , f64.lowest == -f64.inf
  , f64.(1 + epsilon == nextafter 1 2 && 1 + epsilon / 2 == 1)
  , f64.num_bits
  , f64.(from_fraction 1 4 == 0.25)
  )
entry constants : (f64, f64) = (f64.pi, f64.e)
entry folds (xs: []f64) = (f64.sum xs, f64.product xs, f64.maximum xs, f64.minimum xs)
entry folds_of_nothing (xs: []f64) = (f64.sum xs, f64.product xs, f64.maximum xs, f64.minimum xs)
