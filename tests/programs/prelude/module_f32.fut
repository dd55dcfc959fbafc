-- Every function of the module `f32`, against values computed with 200 bits and rounded.
-- ==
-- entry: sqrt
-- input { [0.0f32, 2.0f32, 0.25f32, 10000.0f32] }
-- output { [0.0f32, 1.4142135381698608f32, 0.5f32, 100.0f32] }

-- ==
-- entry: rsqrt
-- input { [2.0f32, 0.25f32, 10000.0f32] }
-- output { [0.7071067690849304f32, 2.0f32, 0.009999999776482582f32] }

-- ==
-- entry: cbrt
-- input { [0.0f32, -27.0f32, 2.0f32] }
-- output { [0.0f32, -3.0f32, 1.2599210739135742f32] }

-- ==
-- entry: exp
-- input { [0.0f32, 1.0f32, -3.5f32, 10.0f32] }
-- output { [1.0f32, 2.7182817459106445f32, 0.03019738383591175f32, 22026.46484375f32] }

-- ==
-- entry: log
-- input { [1.0f32, 2.5f32, 0.0010000000474974513f32] }
-- output { [0.0f32, 0.9162907600402832f32, -6.907755374908447f32] }

-- ==
-- entry: log2
-- input { [1.0f32, 8.0f32, 0.30000001192092896f32] }
-- output { [0.0f32, 3.0f32, -1.736965537071228f32] }

-- ==
-- entry: log10
-- input { [1.0f32, 1000.0f32, 0.30000001192092896f32] }
-- output { [0.0f32, 3.0f32, -0.5228787064552307f32] }

-- ==
-- entry: log1p
-- input { [0.0f32, 9.999999747378752e-05f32, 3.0f32, -0.5f32] }
-- output { [0.0f32, 9.999499889090657e-05f32, 1.3862943649291992f32, -0.6931471824645996f32] }

-- ==
-- entry: sin
-- input { [0.0f32, 1.0f32, -2.5f32, 10.0f32] }
-- output { [0.0f32, 0.8414709568023682f32, -0.5984721183776855f32, -0.5440211296081543f32] }

-- ==
-- entry: cos
-- input { [0.0f32, 1.0f32, -2.5f32, 10.0f32] }
-- output { [1.0f32, 0.5403022766113281f32, -0.8011435866355896f32, -0.83907151222229f32] }

-- ==
-- entry: tan
-- input { [0.0f32, 1.0f32, -0.5f32] }
-- output { [0.0f32, 1.5574077367782593f32, -0.5463024973869324f32] }

-- ==
-- entry: sinpi
-- input { [0.0f32, 0.5f32, 1.0f32, -0.25f32, 1.75f32] }
-- output { [0.0f32, 1.0f32, 0.0f32, -0.7071067690849304f32, -0.7071067690849304f32] }

-- ==
-- entry: cospi
-- input { [0.0f32, 0.5f32, 1.0f32, -0.25f32, 1.75f32] }
-- output { [1.0f32, 0.0f32, -1.0f32, 0.7071067690849304f32, 0.7071067690849304f32] }

-- ==
-- entry: tanpi
-- input { [0.0f32, 0.25f32, -0.125f32] }
-- output { [0.0f32, 1.0f32, -0.4142135679721832f32] }

-- ==
-- entry: asin
-- input { [0.0f32, 1.0f32, -0.5f32] }
-- output { [0.0f32, 1.5707963705062866f32, -0.5235987901687622f32] }

-- ==
-- entry: acos
-- input { [0.0f32, 1.0f32, -0.5f32] }
-- output { [1.5707963705062866f32, 0.0f32, 2.094395160675049f32] }

-- ==
-- entry: atan
-- input { [0.0f32, 1.0f32, -30.0f32] }
-- output { [0.0f32, 0.7853981852531433f32, -1.537475347518921f32] }

-- ==
-- entry: asinpi
-- input { [0.0f32, 1.0f32, -0.5f32] }
-- output { [0.0f32, 0.5f32, -0.1666666716337204f32] }

-- ==
-- entry: acospi
-- input { [0.0f32, 1.0f32, -0.5f32] }
-- output { [0.5f32, 0.0f32, 0.6666666865348816f32] }

-- ==
-- entry: atanpi
-- input { [0.0f32, 1.0f32, -30.0f32] }
-- output { [0.0f32, 0.25f32, -0.48939359188079834f32] }

-- ==
-- entry: sinh
-- input { [0.0f32, 1.0f32, -2.5f32] }
-- output { [0.0f32, 1.175201177597046f32, -6.050204277038574f32] }

-- ==
-- entry: cosh
-- input { [0.0f32, 1.0f32, -2.5f32] }
-- output { [1.0f32, 1.5430806875228882f32, 6.132289409637451f32] }

-- ==
-- entry: tanh
-- input { [0.0f32, 1.0f32, -2.5f32] }
-- output { [0.0f32, 0.7615941762924194f32, -0.9866142868995667f32] }

-- ==
-- entry: asinh
-- input { [0.0f32, 1.0f32, -2.5f32] }
-- output { [0.0f32, 0.8813735842704773f32, -1.647231101989746f32] }

-- ==
-- entry: acosh
-- input { [1.0f32, 2.5f32] }
-- output { [0.0f32, 1.566799283027649f32] }

-- ==
-- entry: atanh
-- input { [0.0f32, 0.5f32, -0.8999999761581421f32] }
-- output { [0.0f32, 0.5493061542510986f32, -1.4722193479537964f32] }

-- ==
-- entry: gamma
-- input { [1.0f32, 5.0f32, 0.5f32, 2.5f32] }
-- output { [1.0f32, 24.0f32, 1.7724539041519165f32, 1.3293403387069702f32] }

-- ==
-- entry: lgamma
-- input { [1.0f32, 5.0f32, 0.5f32, 20.0f32] }
-- output { [0.0f32, 3.178053855895996f32, 0.5723649263381958f32, 39.33988571166992f32] }

-- ==
-- entry: erf
-- input { [0.0f32, 0.5f32, -2.0f32] }
-- output { [0.0f32, 0.5204998850822449f32, -0.9953222870826721f32] }

-- ==
-- entry: erfc
-- input { [0.0f32, 0.5f32, -2.0f32] }
-- output { [1.0f32, 0.4795001149177551f32, 1.9953222274780273f32] }

-- ==
-- entry: ceil
-- input { [1.2000000476837158f32, -1.2000000476837158f32, 3.0f32] }
-- output { [2.0f32, -1.0f32, 3.0f32] }

-- ==
-- entry: floor
-- input { [1.2000000476837158f32, -1.2000000476837158f32, 3.0f32] }
-- output { [1.0f32, -2.0f32, 3.0f32] }

-- ==
-- entry: trunc
-- input { [1.7000000476837158f32, -1.7000000476837158f32, 3.0f32] }
-- output { [1.0f32, -1.0f32, 3.0f32] }

-- ==
-- entry: round
-- input { [0.5f32, 1.5f32, 2.5f32, -0.5f32, -1.5f32, 2.4000000953674316f32] }
-- output { [0.0f32, 2.0f32, 2.0f32, 0.0f32, -2.0f32, 2.0f32] }

-- ==
-- entry: recip
-- input { [1.0f32, 3.0f32, -0.125f32] }
-- output { [1.0f32, 0.3333333432674408f32, -8.0f32] }

-- ==
-- entry: neg
-- input { [0.0f32, 3.0f32, -0.125f32] }
-- output { [0.0f32, -3.0f32, 0.125f32] }

-- ==
-- entry: abs
-- input { [0.0f32, 3.0f32, -0.125f32] }
-- output { [0.0f32, 3.0f32, 0.125f32] }

-- ==
-- entry: sgn
-- input { [0.0f32, 3.0f32, -0.125f32] }
-- output { [0.0f32, 1.0f32, -1.0f32] }

-- ==
-- entry: add
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [3.5f32, -5.5f32, 0.4000000059604645f32, -1.0f32, 1000.0009765625f32] }

-- ==
-- entry: sub
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [-0.5f32, -9.5f32, -0.20000001788139343f32, 7.0f32, 999.9990234375f32] }

-- ==
-- entry: mul
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [3.0f32, -15.0f32, 0.030000001192092896f32, -12.0f32, 1.0f32] }

-- ==
-- entry: div
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [0.75f32, -3.75f32, 0.3333333134651184f32, -0.75f32, 999999.9375f32] }

-- ==
-- entry: mod
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [1.5f32, -1.5f32, 0.10000000149011612f32, 3.0f32, 0.0009525025961920619f32] }

-- ==
-- entry: pow
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [2.25f32, 56.25f32, 0.5011872053146362f32, 0.012345679104328156f32, 1.0069316625595093f32] }

-- ==
-- entry: max
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [2.0f32, 2.0f32, 0.30000001192092896f32, 3.0f32, 1000.0f32] }

-- ==
-- entry: min
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [1.5f32, -7.5f32, 0.10000000149011612f32, -4.0f32, 0.0010000000474974513f32] }

-- ==
-- entry: atan2
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [0.6435011029243469f32, -1.3101938962936401f32, 0.32175055146217346f32, 2.498091459274292f32, 1.5707952976226807f32] }

-- ==
-- entry: atan2pi
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [0.2048327624797821f32, -0.4170476794242859f32, 0.10241638123989105f32, 0.7951672077178955f32, 0.49999967217445374f32] }

-- ==
-- entry: hypot
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [2.5f32, 7.762087345123291f32, 0.3162277638912201f32, 5.0f32, 1000.0f32] }

-- ==
-- entry: copysign
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [1.5f32, 7.5f32, 0.10000000149011612f32, -3.0f32, 1000.0f32] }

-- ==
-- entry: equal
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [false, false, false, false, false] }

-- ==
-- entry: unequal
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [true, true, true, true, true] }

-- ==
-- entry: less
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [true, true, true, false, false] }

-- ==
-- entry: less_equal
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [true, true, true, false, false] }

-- ==
-- entry: greater
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [false, false, false, true, true] }

-- ==
-- entry: greater_equal
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32] }
-- output { [false, false, false, true, true] }

-- ==
-- entry: fma
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32]
--         [0.5f32, 0.25f32, 1.0f32, 0.0f32, 0.75f32] }
-- output { [3.5f32, -14.75f32, 1.0299999713897705f32, -12.0f32, 1.75f32] }

-- ==
-- entry: mad
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32]
--         [0.5f32, 0.25f32, 1.0f32, 0.0f32, 0.75f32] }
-- output { [3.5f32, -14.75f32, 1.0299999713897705f32, -12.0f32, 1.75f32] }

-- ==
-- entry: lerp
-- input { [1.5f32, -7.5f32, 0.10000000149011612f32, 3.0f32, 1000.0f32]
--         [2.0f32, 2.0f32, 0.30000001192092896f32, -4.0f32, 0.0010000000474974513f32]
--         [0.5f32, 0.25f32, 1.0f32, 0.0f32, 0.75f32] }
-- output { [1.75f32, -5.125f32, 0.30000001192092896f32, 3.0f32, 250.000732421875f32] }

-- ==
-- entry: ldexp
-- input { [1.0f32, -3.0f32, 5.0f32]
--         [3i32, -2i32, 0i32] }
-- output { [8.0f32, -0.75f32, 5.0f32] }

-- ==
-- entry: neighbours
-- input { }
-- output { 1065353217u32 1065353215u32 1u32 }

-- ==
-- entry: bits
-- input { [1.0f32, -2.5f32, 0.0f32] }
-- output { [1065353216u32, 3223322624u32, 0u32]
--          [1.0f32, -2.5f32, 0.0f32] }

-- ==
-- entry: one_bit
-- input { 1.0f32 }
-- output { 0i32 1i32 -1.0f32 1.0000001192092896f32 }

-- ==
-- entry: special
-- input { }
-- output { true true false false true true true 32i32 true }

-- ==
-- entry: constants
-- input { }
-- output { 3.1415927410125732f32 2.7182817459106445f32 }

-- ==
-- entry: folds
-- input { [1.5f32, -2.0f32, 4.0f32, 0.25f32] }
-- output { 3.75f32 -3.0f32 4.0f32 -2.0f32 }

-- ==
-- entry: folds_of_nothing
-- input { empty([0]f32) }
-- output { 0.0f32 1.0f32 -f32.inf f32.inf }

entry sqrt (xs: []f32) = map f32.sqrt xs
entry rsqrt (xs: []f32) = map f32.rsqrt xs
entry cbrt (xs: []f32) = map f32.cbrt xs
entry exp (xs: []f32) = map f32.exp xs
entry log (xs: []f32) = map f32.log xs
entry log2 (xs: []f32) = map f32.log2 xs
entry log10 (xs: []f32) = map f32.log10 xs
entry log1p (xs: []f32) = map f32.log1p xs
entry sin (xs: []f32) = map f32.sin xs
entry cos (xs: []f32) = map f32.cos xs
entry tan (xs: []f32) = map f32.tan xs
entry sinpi (xs: []f32) = map f32.sinpi xs
entry cospi (xs: []f32) = map f32.cospi xs
entry tanpi (xs: []f32) = map f32.tanpi xs
entry asin (xs: []f32) = map f32.asin xs
entry acos (xs: []f32) = map f32.acos xs
entry atan (xs: []f32) = map f32.atan xs
entry asinpi (xs: []f32) = map f32.asinpi xs
entry acospi (xs: []f32) = map f32.acospi xs
entry atanpi (xs: []f32) = map f32.atanpi xs
entry sinh (xs: []f32) = map f32.sinh xs
entry cosh (xs: []f32) = map f32.cosh xs
entry tanh (xs: []f32) = map f32.tanh xs
entry asinh (xs: []f32) = map f32.asinh xs
entry acosh (xs: []f32) = map f32.acosh xs
entry atanh (xs: []f32) = map f32.atanh xs
entry gamma (xs: []f32) = map f32.gamma xs
entry lgamma (xs: []f32) = map f32.lgamma xs
entry erf (xs: []f32) = map f32.erf xs
entry erfc (xs: []f32) = map f32.erfc xs
entry ceil (xs: []f32) = map f32.ceil xs
entry floor (xs: []f32) = map f32.floor xs
entry trunc (xs: []f32) = map f32.trunc xs
entry round (xs: []f32) = map f32.round xs
entry recip (xs: []f32) = map f32.recip xs
entry neg (xs: []f32) = map f32.neg xs
entry abs (xs: []f32) = map f32.abs xs
entry sgn (xs: []f32) = map f32.sgn xs
entry add [n] (xs: [n]f32) (ys: [n]f32) = map2 (f32.+) xs ys
entry sub [n] (xs: [n]f32) (ys: [n]f32) = map2 (f32.-) xs ys
entry mul [n] (xs: [n]f32) (ys: [n]f32) = map2 (f32.*) xs ys
entry div [n] (xs: [n]f32) (ys: [n]f32) = map2 (f32./) xs ys
entry mod [n] (xs: [n]f32) (ys: [n]f32) = map2 (f32.%) xs ys
entry pow [n] (xs: [n]f32) (ys: [n]f32) = map2 (f32.**) xs ys
entry max [n] (xs: [n]f32) (ys: [n]f32) = map2 f32.max xs ys
entry min [n] (xs: [n]f32) (ys: [n]f32) = map2 f32.min xs ys
entry atan2 [n] (xs: [n]f32) (ys: [n]f32) = map2 f32.atan2 xs ys
entry atan2pi [n] (xs: [n]f32) (ys: [n]f32) = map2 f32.atan2pi xs ys
entry hypot [n] (xs: [n]f32) (ys: [n]f32) = map2 f32.hypot xs ys
entry copysign [n] (xs: [n]f32) (ys: [n]f32) = map2 f32.copysign xs ys
entry equal [n] (xs: [n]f32) (ys: [n]f32) = map2 (f32.==) xs ys
entry unequal [n] (xs: [n]f32) (ys: [n]f32) = map2 (f32.!=) xs ys
entry less [n] (xs: [n]f32) (ys: [n]f32) = map2 (f32.<) xs ys
entry less_equal [n] (xs: [n]f32) (ys: [n]f32) = map2 (f32.<=) xs ys
entry greater [n] (xs: [n]f32) (ys: [n]f32) = map2 (f32.>) xs ys
entry greater_equal [n] (xs: [n]f32) (ys: [n]f32) = map2 (f32.>=) xs ys
entry fma [n] (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) = map3 f32.fma xs ys zs
entry mad [n] (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) = map3 f32.mad xs ys zs
entry lerp [n] (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) = map3 f32.lerp xs ys zs
entry ldexp [n] (xs: [n]f32) (es: [n]i32) = map2 f32.ldexp xs es
entry neighbours : (u32, u32, u32) =
  (f32.to_bits (f32.nextafter 1 2), f32.to_bits (f32.nextafter 1 0), f32.to_bits (f32.nextafter 0 1))
entry bits (xs: []f32) = let bs = map f32.to_bits xs in (bs, map f32.from_bits bs)
entry one_bit (x: f32) =
  (f32.get_bit 0 x, f32.get_bit 28 x, f32.set_bit 31 x 1, f32.set_bit 0 x 1)
entry special : (bool, bool, bool, bool, bool, bool, bool, i32, bool) =
  ( f32.isnan f32.nan
  , f32.isinf (-f32.inf)
  , f32.isinf f32.nan
  , f32.isnan f32.inf
  , f32.highest == f32.inf
  , f32.lowest == -f32.inf
  , f32.(1 + epsilon == nextafter 1 2 && 1 + epsilon / 2 == 1)
  , f32.num_bits
  , f32.(from_fraction 1 4 == 0.25)
  )
entry constants : (f32, f32) = (f32.pi, f32.e)
entry folds (xs: []f32) = (f32.sum xs, f32.product xs, f32.maximum xs, f32.minimum xs)
entry folds_of_nothing (xs: []f32) = (f32.sum xs, f32.product xs, f32.maximum xs, f32.minimum xs)
