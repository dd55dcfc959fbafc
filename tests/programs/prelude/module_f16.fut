-- Every function of the module `f16`, against values computed with 200 bits and rounded.
-- ==
-- entry: sqrt
-- input { [0.0f16, 2.0f16, 0.25f16, 10000.0f16] }
-- output { [0.0f16, 1.4140625f16, 0.5f16, 100.0f16] }

-- ==
-- entry: rsqrt
-- input { [2.0f16, 0.25f16, 10000.0f16] }
-- output { [0.70703125f16, 2.0f16, 0.01000213623046875f16] }

-- ==
-- entry: cbrt
-- input { [0.0f16, -27.0f16, 2.0f16] }
-- output { [0.0f16, -3.0f16, 1.259765625f16] }

-- ==
-- entry: exp
-- input { [0.0f16, 1.0f16, -3.5f16, 10.0f16] }
-- output { [1.0f16, 2.71875f16, 0.0301971435546875f16, 22032.0f16] }

-- ==
-- entry: log
-- input { [1.0f16, 2.5f16, 0.0010004043579101562f16] }
-- output { [0.0f16, 0.91650390625f16, -6.90625f16] }

-- ==
-- entry: log2
-- input { [1.0f16, 8.0f16, 0.300048828125f16] }
-- output { [0.0f16, 3.0f16, -1.736328125f16] }

-- ==
-- entry: log10
-- input { [1.0f16, 1000.0f16, 0.300048828125f16] }
-- output { [0.0f16, 3.0f16, -0.52294921875f16] }

-- ==
-- entry: log1p
-- input { [0.0f16, 0.00010001659393310547f16, 3.0f16, -0.5f16] }
-- output { [0.0f16, 0.00010001659393310547f16, 1.38671875f16, -0.693359375f16] }

-- ==
-- entry: sin
-- input { [0.0f16, 1.0f16, -2.5f16, 10.0f16] }
-- output { [0.0f16, 0.84130859375f16, -0.5986328125f16, -0.5439453125f16] }

-- ==
-- entry: cos
-- input { [0.0f16, 1.0f16, -2.5f16, 10.0f16] }
-- output { [1.0f16, 0.54052734375f16, -0.80126953125f16, -0.8388671875f16] }

-- ==
-- entry: tan
-- input { [0.0f16, 1.0f16, -0.5f16] }
-- output { [0.0f16, 1.5576171875f16, -0.54638671875f16] }

-- ==
-- entry: sinpi
-- input { [0.0f16, 0.5f16, 1.0f16, -0.25f16, 1.75f16] }
-- output { [0.0f16, 1.0f16, 0.0f16, -0.70703125f16, -0.70703125f16] }

-- ==
-- entry: cospi
-- input { [0.0f16, 0.5f16, 1.0f16, -0.25f16, 1.75f16] }
-- output { [1.0f16, 0.0f16, -1.0f16, 0.70703125f16, 0.70703125f16] }

-- ==
-- entry: tanpi
-- input { [0.0f16, 0.25f16, -0.125f16] }
-- output { [0.0f16, 1.0f16, -0.414306640625f16] }

-- ==
-- entry: asin
-- input { [0.0f16, 1.0f16, -0.5f16] }
-- output { [0.0f16, 1.5703125f16, -0.5234375f16] }

-- ==
-- entry: acos
-- input { [0.0f16, 1.0f16, -0.5f16] }
-- output { [1.5703125f16, 0.0f16, 2.09375f16] }

-- ==
-- entry: atan
-- input { [0.0f16, 1.0f16, -30.0f16] }
-- output { [0.0f16, 0.78515625f16, -1.537109375f16] }

-- ==
-- entry: asinpi
-- input { [0.0f16, 1.0f16, -0.5f16] }
-- output { [0.0f16, 0.5f16, -0.1666259765625f16] }

-- ==
-- entry: acospi
-- input { [0.0f16, 1.0f16, -0.5f16] }
-- output { [0.5f16, 0.0f16, 0.66650390625f16] }

-- ==
-- entry: atanpi
-- input { [0.0f16, 1.0f16, -30.0f16] }
-- output { [0.0f16, 0.25f16, -0.489501953125f16] }

-- ==
-- entry: sinh
-- input { [0.0f16, 1.0f16, -2.5f16] }
-- output { [0.0f16, 1.1748046875f16, -6.05078125f16] }

-- ==
-- entry: cosh
-- input { [0.0f16, 1.0f16, -2.5f16] }
-- output { [1.0f16, 1.54296875f16, 6.1328125f16] }

-- ==
-- entry: tanh
-- input { [0.0f16, 1.0f16, -2.5f16] }
-- output { [0.0f16, 0.76171875f16, -0.98681640625f16] }

-- ==
-- entry: asinh
-- input { [0.0f16, 1.0f16, -2.5f16] }
-- output { [0.0f16, 0.88134765625f16, -1.6474609375f16] }

-- ==
-- entry: acosh
-- input { [1.0f16, 2.5f16] }
-- output { [0.0f16, 1.56640625f16] }

-- ==
-- entry: atanh
-- input { [0.0f16, 0.5f16, -0.89990234375f16] }
-- output { [0.0f16, 0.54931640625f16, -1.4716796875f16] }

-- ==
-- entry: gamma
-- input { [1.0f16, 5.0f16, 0.5f16, 2.5f16] }
-- output { [1.0f16, 24.0f16, 1.7724609375f16, 1.3291015625f16] }

-- ==
-- entry: lgamma
-- input { [1.0f16, 5.0f16, 0.5f16, 20.0f16] }
-- output { [0.0f16, 3.177734375f16, 0.572265625f16, 39.34375f16] }

-- ==
-- entry: erf
-- input { [0.0f16, 0.5f16, -2.0f16] }
-- output { [0.0f16, 0.5205078125f16, -0.9951171875f16] }

-- ==
-- entry: erfc
-- input { [0.0f16, 0.5f16, -2.0f16] }
-- output { [1.0f16, 0.4794921875f16, 1.9951171875f16] }

-- ==
-- entry: ceil
-- input { [1.2001953125f16, -1.2001953125f16, 3.0f16] }
-- output { [2.0f16, -1.0f16, 3.0f16] }

-- ==
-- entry: floor
-- input { [1.2001953125f16, -1.2001953125f16, 3.0f16] }
-- output { [1.0f16, -2.0f16, 3.0f16] }

-- ==
-- entry: trunc
-- input { [1.7001953125f16, -1.7001953125f16, 3.0f16] }
-- output { [1.0f16, -1.0f16, 3.0f16] }

-- ==
-- entry: round
-- input { [0.5f16, 1.5f16, 2.5f16, -0.5f16, -1.5f16, 2.400390625f16] }
-- output { [0.0f16, 2.0f16, 2.0f16, 0.0f16, -2.0f16, 2.0f16] }

-- ==
-- entry: recip
-- input { [1.0f16, 3.0f16, -0.125f16] }
-- output { [1.0f16, 0.333251953125f16, -8.0f16] }

-- ==
-- entry: neg
-- input { [0.0f16, 3.0f16, -0.125f16] }
-- output { [0.0f16, -3.0f16, 0.125f16] }

-- ==
-- entry: abs
-- input { [0.0f16, 3.0f16, -0.125f16] }
-- output { [0.0f16, 3.0f16, 0.125f16] }

-- ==
-- entry: sgn
-- input { [0.0f16, 3.0f16, -0.125f16] }
-- output { [0.0f16, 1.0f16, -1.0f16] }

-- ==
-- entry: add
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [3.5f16, -5.5f16, 0.39990234375f16, -1.0f16, 1000.0f16] }

-- ==
-- entry: sub
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [-0.5f16, -9.5f16, -0.2000732421875f16, 7.0f16, 1000.0f16] }

-- ==
-- entry: mul
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [3.0f16, -15.0f16, 0.029998779296875f16, -12.0f16, 1.0f16] }

-- ==
-- entry: div
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [0.75f16, -3.75f16, 0.333251953125f16, -0.75f16, f16.inf] }

-- ==
-- entry: mod
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [1.5f16, -1.5f16, 0.0999755859375f16, 3.0f16, 0.0008058547973632812f16] }

-- ==
-- entry: pow
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [2.25f16, 56.25f16, 0.5009765625f16, 0.0123443603515625f16, 1.0068359375f16] }

-- ==
-- entry: max
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [2.0f16, 2.0f16, 0.300048828125f16, 3.0f16, 1000.0f16] }

-- ==
-- entry: min
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [1.5f16, -7.5f16, 0.0999755859375f16, -4.0f16, 0.0010004043579101562f16] }

-- ==
-- entry: atan2
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [0.6435546875f16, -1.310546875f16, 0.321533203125f16, 2.498046875f16, 1.5703125f16] }

-- ==
-- entry: atan2pi
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [0.204833984375f16, -0.4169921875f16, 0.10235595703125f16, 0.79541015625f16, 0.5f16] }

-- ==
-- entry: hypot
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [2.5f16, 7.76171875f16, 0.316162109375f16, 5.0f16, 1000.0f16] }

-- ==
-- entry: copysign
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [1.5f16, 7.5f16, 0.0999755859375f16, -3.0f16, 1000.0f16] }

-- ==
-- entry: equal
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [false, false, false, false, false] }

-- ==
-- entry: unequal
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [true, true, true, true, true] }

-- ==
-- entry: less
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [true, true, true, false, false] }

-- ==
-- entry: less_equal
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [true, true, true, false, false] }

-- ==
-- entry: greater
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [false, false, false, true, true] }

-- ==
-- entry: greater_equal
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16] }
-- output { [false, false, false, true, true] }

-- ==
-- entry: fma
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16]
--         [0.5f16, 0.25f16, 1.0f16, 0.0f16, 0.75f16] }
-- output { [3.5f16, -14.75f16, 1.0302734375f16, -12.0f16, 1.75f16] }

-- ==
-- entry: mad
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16]
--         [0.5f16, 0.25f16, 1.0f16, 0.0f16, 0.75f16] }
-- output { [3.5f16, -14.75f16, 1.0302734375f16, -12.0f16, 1.75f16] }

-- ==
-- entry: lerp
-- input { [1.5f16, -7.5f16, 0.0999755859375f16, 3.0f16, 1000.0f16]
--         [2.0f16, 2.0f16, 0.300048828125f16, -4.0f16, 0.0010004043579101562f16]
--         [0.5f16, 0.25f16, 1.0f16, 0.0f16, 0.75f16] }
-- output { [1.75f16, -5.125f16, 0.300048828125f16, 3.0f16, 250.0f16] }

-- ==
-- entry: ldexp
-- input { [1.0f16, -3.0f16, 5.0f16]
--         [3i32, -2i32, 0i32] }
-- output { [8.0f16, -0.75f16, 5.0f16] }

-- ==
-- entry: neighbours
-- input { }
-- output { 15361u16 15359u16 1u16 }

-- ==
-- entry: bits
-- input { [1.0f16, -2.5f16, 0.0f16] }
-- output { [15360u16, 49408u16, 0u16]
--          [1.0f16, -2.5f16, 0.0f16] }

-- ==
-- entry: one_bit
-- input { 1.0f16 }
-- output { 0i32 1i32 -1.0f16 1.0009765625f16 }

-- ==
-- entry: special
-- input { }
-- output { true true false false true true true 16i32 true }

-- ==
-- entry: constants
-- input { }
-- output { 3.140625f16 2.71875f16 }

-- ==
-- entry: folds
-- input { [1.5f16, -2.0f16, 4.0f16, 0.25f16] }
-- output { 3.75f16 -3.0f16 4.0f16 -2.0f16 }

-- ==
-- entry: folds_of_nothing
-- input { empty([0]f16) }
-- output { 0.0f16 1.0f16 -f16.inf f16.inf }

entry sqrt (xs: []f16) = map f16.sqrt xs
entry rsqrt (xs: []f16) = map f16.rsqrt xs
entry cbrt (xs: []f16) = map f16.cbrt xs
entry exp (xs: []f16) = map f16.exp xs
entry log (xs: []f16) = map f16.log xs
entry log2 (xs: []f16) = map f16.log2 xs
entry log10 (xs: []f16) = map f16.log10 xs
entry log1p (xs: []f16) = map f16.log1p xs
entry sin (xs: []f16) = map f16.sin xs
entry cos (xs: []f16) = map f16.cos xs
entry tan (xs: []f16) = map f16.tan xs
entry sinpi (xs: []f16) = map f16.sinpi xs
entry cospi (xs: []f16) = map f16.cospi xs
entry tanpi (xs: []f16) = map f16.tanpi xs
entry asin (xs: []f16) = map f16.asin xs
entry acos (xs: []f16) = map f16.acos xs
entry atan (xs: []f16) = map f16.atan xs
entry asinpi (xs: []f16) = map f16.asinpi xs
entry acospi (xs: []f16) = map f16.acospi xs
entry atanpi (xs: []f16) = map f16.atanpi xs
entry sinh (xs: []f16) = map f16.sinh xs
entry cosh (xs: []f16) = map f16.cosh xs
entry tanh (xs: []f16) = map f16.tanh xs
entry asinh (xs: []f16) = map f16.asinh xs
entry acosh (xs: []f16) = map f16.acosh xs
entry atanh (xs: []f16) = map f16.atanh xs
entry gamma (xs: []f16) = map f16.gamma xs
entry lgamma (xs: []f16) = map f16.lgamma xs
entry erf (xs: []f16) = map f16.erf xs
entry erfc (xs: []f16) = map f16.erfc xs
entry ceil (xs: []f16) = map f16.ceil xs
entry floor (xs: []f16) = map f16.floor xs
entry trunc (xs: []f16) = map f16.trunc xs
entry round (xs: []f16) = map f16.round xs
entry recip (xs: []f16) = map f16.recip xs
entry neg (xs: []f16) = map f16.neg xs
entry abs (xs: []f16) = map f16.abs xs
entry sgn (xs: []f16) = map f16.sgn xs
entry add [n] (xs: [n]f16) (ys: [n]f16) = map2 (f16.+) xs ys
entry sub [n] (xs: [n]f16) (ys: [n]f16) = map2 (f16.-) xs ys
entry mul [n] (xs: [n]f16) (ys: [n]f16) = map2 (f16.*) xs ys
entry div [n] (xs: [n]f16) (ys: [n]f16) = map2 (f16./) xs ys
entry mod [n] (xs: [n]f16) (ys: [n]f16) = map2 (f16.%) xs ys
entry pow [n] (xs: [n]f16) (ys: [n]f16) = map2 (f16.**) xs ys
entry max [n] (xs: [n]f16) (ys: [n]f16) = map2 f16.max xs ys
entry min [n] (xs: [n]f16) (ys: [n]f16) = map2 f16.min xs ys
entry atan2 [n] (xs: [n]f16) (ys: [n]f16) = map2 f16.atan2 xs ys
entry atan2pi [n] (xs: [n]f16) (ys: [n]f16) = map2 f16.atan2pi xs ys
entry hypot [n] (xs: [n]f16) (ys: [n]f16) = map2 f16.hypot xs ys
entry copysign [n] (xs: [n]f16) (ys: [n]f16) = map2 f16.copysign xs ys
entry equal [n] (xs: [n]f16) (ys: [n]f16) = map2 (f16.==) xs ys
entry unequal [n] (xs: [n]f16) (ys: [n]f16) = map2 (f16.!=) xs ys
entry less [n] (xs: [n]f16) (ys: [n]f16) = map2 (f16.<) xs ys
entry less_equal [n] (xs: [n]f16) (ys: [n]f16) = map2 (f16.<=) xs ys
entry greater [n] (xs: [n]f16) (ys: [n]f16) = map2 (f16.>) xs ys
entry greater_equal [n] (xs: [n]f16) (ys: [n]f16) = map2 (f16.>=) xs ys
entry fma [n] (xs: [n]f16) (ys: [n]f16) (zs: [n]f16) = map3 f16.fma xs ys zs
entry mad [n] (xs: [n]f16) (ys: [n]f16) (zs: [n]f16) = map3 f16.mad xs ys zs
entry lerp [n] (xs: [n]f16) (ys: [n]f16) (zs: [n]f16) = map3 f16.lerp xs ys zs
entry ldexp [n] (xs: [n]f16) (es: [n]i32) = map2 f16.ldexp xs es
entry neighbours : (u16, u16, u16) =
  (f16.to_bits (f16.nextafter 1 2), f16.to_bits (f16.nextafter 1 0), f16.to_bits (f16.nextafter 0 1))
entry bits (xs: []f16) = let bs = map f16.to_bits xs in (bs, map f16.from_bits bs)
entry one_bit (x: f16) =
  (f16.get_bit 0 x, f16.get_bit 12 x, f16.set_bit 15 x 1, f16.set_bit 0 x 1)
entry special : (bool, bool, bool, bool, bool, bool, bool, i32, bool) =
  ( f16.isnan f16.nan
  , f16.isinf (-f16.inf)
  , f16.isinf f16.nan
  , f16.isnan f16.inf
  , f16.highest == f16.inf
  , f16.lowest == -f16.inf
  , f16.(1 + epsilon == nextafter 1 2 && 1 + epsilon / 2 == 1)
  , f16.num_bits
  , f16.(from_fraction 1 4 == 0.25)
  )
entry constants : (f16, f16) = (f16.pi, f16.e)
entry folds (xs: []f16) = (f16.sum xs, f16.product xs, f16.maximum xs, f16.minimum xs)
entry folds_of_nothing (xs: []f16) = (f16.sum xs, f16.product xs, f16.maximum xs, f16.minimum xs)
