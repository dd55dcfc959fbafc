-- Every function of the module `u8`, with the greatest and the least values among the operands.
-- ==
-- entry: add
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [3u8, 0u8, 10u8, 1u8, 255u8, 253u8, 107u8, 251u8, 149u8, 10u8] }

-- ==
-- entry: sub
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [253u8, 2u8, 4u8, 253u8, 1u8, 255u8, 93u8, 247u8, 163u8, 0u8] }

-- ==
-- entry: mul
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [0u8, 255u8, 21u8, 254u8, 0u8, 2u8, 188u8, 242u8, 188u8, 25u8] }

-- ==
-- entry: div
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [0u8, 0u8, 2u8, 127u8, 0u8, 0u8, 14u8, 124u8, 0u8, 1u8] }

-- ==
-- entry: mod
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [0u8, 1u8, 1u8, 1u8, 0u8, 254u8, 2u8, 1u8, 156u8, 0u8] }

-- ==
-- entry: quot
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [0u8, 0u8, 2u8, 127u8, 0u8, 0u8, 14u8, 124u8, 0u8, 1u8] }

-- ==
-- entry: rem
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [0u8, 1u8, 1u8, 1u8, 0u8, 254u8, 2u8, 1u8, 156u8, 0u8] }

-- ==
-- entry: pow
-- input { [0u8, 1u8, 3u8, 255u8, 0u8, 2u8, 2u8, 255u8, 253u8]
--         [0u8, 255u8, 5u8, 3u8, 1u8, 7u8, 8u8, 7u8, 3u8] }
-- output { [1u8, 1u8, 243u8, 255u8, 0u8, 128u8, 0u8, 255u8, 229u8] }

-- ==
-- entry: and_
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [0u8, 1u8, 3u8, 2u8, 0u8, 254u8, 4u8, 0u8, 152u8, 5u8] }

-- ==
-- entry: or_
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [3u8, 255u8, 7u8, 255u8, 255u8, 255u8, 103u8, 251u8, 253u8, 5u8] }

-- ==
-- entry: xor
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [3u8, 254u8, 4u8, 253u8, 255u8, 1u8, 99u8, 251u8, 101u8, 0u8] }

-- ==
-- entry: shift_left
-- input { [1u8, 255u8, 0u8, 5u8, 255u8, 156u8]
--         [7u8, 1u8, 7u8, 0u8, 3u8, 2u8] }
-- output { [128u8, 254u8, 0u8, 5u8, 248u8, 112u8] }

-- ==
-- entry: shift_right
-- input { [1u8, 255u8, 0u8, 5u8, 255u8, 156u8]
--         [7u8, 1u8, 7u8, 0u8, 3u8, 2u8] }
-- output { [0u8, 127u8, 0u8, 5u8, 31u8, 39u8] }

-- ==
-- entry: shift_right_logical
-- input { [1u8, 255u8, 0u8, 5u8, 255u8, 156u8]
--         [7u8, 1u8, 7u8, 0u8, 3u8, 2u8] }
-- output { [0u8, 127u8, 0u8, 5u8, 31u8, 39u8] }

-- ==
-- entry: equal
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [false, false, false, false, false, false, false, false, false, true] }

-- ==
-- entry: unequal
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [true, true, true, true, true, true, true, true, true, false] }

-- ==
-- entry: less
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [true, true, false, false, true, true, false, false, true, false] }

-- ==
-- entry: less_equal
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [true, true, false, false, true, true, false, false, true, true] }

-- ==
-- entry: greater
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [false, false, true, true, false, false, true, true, false, false] }

-- ==
-- entry: greater_equal
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [false, false, true, true, false, false, true, true, false, true] }

-- ==
-- entry: max
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [3u8, 255u8, 7u8, 255u8, 255u8, 255u8, 100u8, 249u8, 249u8, 5u8] }

-- ==
-- entry: min
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [0u8, 1u8, 3u8, 2u8, 0u8, 254u8, 7u8, 2u8, 156u8, 5u8] }

-- ==
-- entry: mul_hi
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [0u8, 0u8, 0u8, 1u8, 0u8, 253u8, 2u8, 1u8, 151u8, 0u8] }

-- ==
-- entry: mad_hi
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8]
--         [3u8, 255u8, 3u8, 2u8, 255u8, 255u8, 7u8, 2u8, 249u8, 5u8] }
-- output { [0u8, 1u8, 7u8, 0u8, 0u8, 251u8, 102u8, 250u8, 51u8, 5u8] }

-- ==
-- entry: neg
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8] }
-- output { [0u8, 255u8, 249u8, 1u8, 0u8, 2u8, 156u8, 7u8, 100u8, 251u8] }

-- ==
-- entry: abs
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8] }
-- output { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8] }

-- ==
-- entry: sgn
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8] }
-- output { [0u8, 1u8, 1u8, 1u8, 0u8, 1u8, 1u8, 1u8, 1u8, 1u8] }

-- ==
-- entry: not
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8] }
-- output { [255u8, 254u8, 248u8, 0u8, 255u8, 1u8, 155u8, 6u8, 99u8, 250u8] }

-- ==
-- entry: popc
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8] }
-- output { [0i32, 1i32, 3i32, 8i32, 0i32, 7i32, 3i32, 6i32, 4i32, 2i32] }

-- ==
-- entry: clz
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8] }
-- output { [8i32, 7i32, 5i32, 0i32, 8i32, 0i32, 1i32, 0i32, 0i32, 5i32] }

-- ==
-- entry: ctz
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8] }
-- output { [8i32, 0i32, 0i32, 0i32, 8i32, 1i32, 2i32, 0i32, 2i32, 0i32] }

-- ==
-- entry: to_i64
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8] }
-- output { [0i64, 1i64, 7i64, 255i64, 0i64, 254i64, 100i64, 249i64, 156i64, 5i64] }

-- ==
-- entry: get_bit
-- input { [0u8, 255u8, 255u8, 0u8, 5u8]
--         [0i32, 7i32, 6i32, 7i32, 1i32] }
-- output { [0i32, 1i32, 1i32, 0i32, 0i32] }

-- ==
-- entry: set_bit_to_0
-- input { [0u8, 255u8, 255u8, 0u8, 5u8]
--         [0i32, 7i32, 6i32, 7i32, 1i32] }
-- output { [0u8, 127u8, 191u8, 0u8, 5u8] }

-- ==
-- entry: set_bit_to_1
-- input { [0u8, 255u8, 255u8, 0u8, 5u8]
--         [0i32, 7i32, 6i32, 7i32, 1i32] }
-- output { [1u8, 255u8, 255u8, 128u8, 7u8] }

-- ==
-- entry: folds
-- input { [0u8, 1u8, 7u8, 255u8, 0u8, 254u8, 100u8, 249u8, 156u8, 5u8] }
-- output { 3u8 249u8 255u8 0u8 }

-- ==
-- entry: folds_of_nothing
-- input { empty([0]u8) }
-- output { 0u8 1u8 0u8 255u8 }

-- ==
-- entry: constants
-- input { }
-- output { 255u8 0u8 8i32 }

entry add [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.+) xs ys
entry sub [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.-) xs ys
entry mul [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.*) xs ys
entry div [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8./) xs ys
entry mod [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.%) xs ys
entry quot [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.//) xs ys
entry rem [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.%%) xs ys
entry pow [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.**) xs ys
entry and_ [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.&) xs ys
entry or_ [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.|) xs ys
entry xor [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.^) xs ys
entry shift_left [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.<<) xs ys
entry shift_right [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.>>) xs ys
entry shift_right_logical [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.>>>) xs ys
entry equal [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.==) xs ys
entry unequal [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.!=) xs ys
entry less [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.<) xs ys
entry less_equal [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.<=) xs ys
entry greater [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.>) xs ys
entry greater_equal [n] (xs: [n]u8) (ys: [n]u8) = map2 (u8.>=) xs ys
entry max [n] (xs: [n]u8) (ys: [n]u8) = map2 u8.max xs ys
entry min [n] (xs: [n]u8) (ys: [n]u8) = map2 u8.min xs ys
entry mul_hi [n] (xs: [n]u8) (ys: [n]u8) = map2 u8.mul_hi xs ys
entry mad_hi [n] (xs: [n]u8) (ys: [n]u8) = map3 u8.mad_hi xs ys xs
entry neg (xs: []u8) = map u8.neg xs
entry abs (xs: []u8) = map u8.abs xs
entry sgn (xs: []u8) = map u8.sgn xs
entry not (xs: []u8) = map u8.not xs
entry popc (xs: []u8) = map u8.popc xs
entry clz (xs: []u8) = map u8.clz xs
entry ctz (xs: []u8) = map u8.ctz xs
entry to_i64 (xs: []u8) = map u8.to_i64 xs
entry get_bit [n] (xs: [n]u8) (bits: [n]i32) = map2 u8.get_bit bits xs
entry set_bit_to_0 [n] (xs: [n]u8) (bits: [n]i32) = map2 (\x i -> u8.set_bit i x 0) xs bits
entry set_bit_to_1 [n] (xs: [n]u8) (bits: [n]i32) = map2 (\x i -> u8.set_bit i x 1) xs bits
entry folds (xs: []u8) = (u8.sum xs, u8.product xs[1:4], u8.maximum xs, u8.minimum xs)
entry folds_of_nothing (xs: []u8) = (u8.sum xs, u8.product xs, u8.maximum xs, u8.minimum xs)
entry constants : (u8, u8, i32) = (u8.highest, u8.lowest, u8.num_bits)
