-- Every function of the module `i8`, with the greatest and the least values among the operands.
-- ==
-- entry: add
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [3i8, -128i8, 10i8, -127i8, 127i8, -3i8, 107i8, -5i8, -107i8, 10i8] }

-- ==
-- entry: sub
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [-3i8, -126i8, 4i8, 125i8, -127i8, -1i8, 93i8, -9i8, -93i8, 0i8] }

-- ==
-- entry: mul
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [0i8, 127i8, 21i8, -2i8, -128i8, -126i8, -68i8, -14i8, -68i8, 25i8] }

-- ==
-- entry: div
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [0i8, 0i8, 2i8, 63i8, -128i8, 0i8, 14i8, -4i8, 14i8, 1i8] }

-- ==
-- entry: mod
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [0i8, 1i8, 1i8, 1i8, 0i8, 126i8, 2i8, 1i8, -2i8, 0i8] }

-- ==
-- entry: quot
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [0i8, 0i8, 2i8, 63i8, -128i8, 0i8, 14i8, -3i8, 14i8, 1i8] }

-- ==
-- entry: rem
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [0i8, 1i8, 1i8, 1i8, 0i8, 126i8, 2i8, -1i8, -2i8, 0i8] }

-- ==
-- entry: pow
-- input { [0i8, 1i8, 3i8, 127i8, -128i8, 2i8, 2i8, -1i8, -3i8]
--         [0i8, 127i8, 5i8, 3i8, 1i8, 7i8, 8i8, 7i8, 3i8] }
-- output { [1i8, 1i8, -13i8, 127i8, -128i8, -128i8, 0i8, -1i8, -27i8] }

-- ==
-- entry: and_
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [0i8, 1i8, 3i8, 2i8, -128i8, 126i8, 4i8, 0i8, -104i8, 5i8] }

-- ==
-- entry: or_
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [3i8, 127i8, 7i8, 127i8, -1i8, 127i8, 103i8, -5i8, -3i8, 5i8] }

-- ==
-- entry: xor
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [3i8, 126i8, 4i8, 125i8, 127i8, 1i8, 99i8, -5i8, 101i8, 0i8] }

-- ==
-- entry: shift_left
-- input { [1i8, 127i8, -128i8, 5i8, -1i8, -100i8]
--         [7i8, 1i8, 7i8, 0i8, 3i8, 2i8] }
-- output { [-128i8, -2i8, 0i8, 5i8, -8i8, 112i8] }

-- ==
-- entry: shift_right
-- input { [1i8, 127i8, -128i8, 5i8, -1i8, -100i8]
--         [7i8, 1i8, 7i8, 0i8, 3i8, 2i8] }
-- output { [0i8, 63i8, -1i8, 5i8, -1i8, -25i8] }

-- ==
-- entry: shift_right_logical
-- input { [1i8, 127i8, -128i8, 5i8, -1i8, -100i8]
--         [7i8, 1i8, 7i8, 0i8, 3i8, 2i8] }
-- output { [0i8, 63i8, 1i8, 5i8, 31i8, 39i8] }

-- ==
-- entry: equal
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [false, false, false, false, false, false, false, false, false, true] }

-- ==
-- entry: unequal
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [true, true, true, true, true, true, true, true, true, false] }

-- ==
-- entry: less
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [true, true, false, false, true, true, false, true, true, false] }

-- ==
-- entry: less_equal
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [true, true, false, false, true, true, false, true, true, true] }

-- ==
-- entry: greater
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [false, false, true, true, false, false, true, false, false, false] }

-- ==
-- entry: greater_equal
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [false, false, true, true, false, false, true, false, false, true] }

-- ==
-- entry: max
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [3i8, 127i8, 7i8, 127i8, -1i8, 127i8, 100i8, 2i8, -7i8, 5i8] }

-- ==
-- entry: min
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [0i8, 1i8, 3i8, 2i8, -128i8, 126i8, 7i8, -7i8, -100i8, 5i8] }

-- ==
-- entry: mul_hi
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [0i8, 0i8, 0i8, 0i8, 0i8, 62i8, 2i8, -1i8, 2i8, 0i8] }

-- ==
-- entry: mad_hi
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8]
--         [3i8, 127i8, 3i8, 2i8, -1i8, 127i8, 7i8, 2i8, -7i8, 5i8] }
-- output { [0i8, 1i8, 7i8, 127i8, -128i8, -68i8, 102i8, -8i8, -98i8, 5i8] }

-- ==
-- entry: neg
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8] }
-- output { [0i8, -1i8, -7i8, -127i8, -128i8, -126i8, -100i8, 7i8, 100i8, -5i8] }

-- ==
-- entry: abs
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8] }
-- output { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, 7i8, 100i8, 5i8] }

-- ==
-- entry: sgn
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8] }
-- output { [0i8, 1i8, 1i8, 1i8, -1i8, 1i8, 1i8, -1i8, -1i8, 1i8] }

-- ==
-- entry: not
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8] }
-- output { [-1i8, -2i8, -8i8, -128i8, 127i8, -127i8, -101i8, 6i8, 99i8, -6i8] }

-- ==
-- entry: popc
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8] }
-- output { [0i32, 1i32, 3i32, 7i32, 1i32, 6i32, 3i32, 6i32, 4i32, 2i32] }

-- ==
-- entry: clz
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8] }
-- output { [8i32, 7i32, 5i32, 1i32, 0i32, 1i32, 1i32, 0i32, 0i32, 5i32] }

-- ==
-- entry: ctz
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8] }
-- output { [8i32, 0i32, 0i32, 0i32, 7i32, 1i32, 2i32, 0i32, 2i32, 0i32] }

-- ==
-- entry: to_i64
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8] }
-- output { [0i64, 1i64, 7i64, 127i64, -128i64, 126i64, 100i64, -7i64, -100i64, 5i64] }

-- ==
-- entry: get_bit
-- input { [0i8, -1i8, 127i8, -128i8, 5i8]
--         [0i32, 7i32, 6i32, 7i32, 1i32] }
-- output { [0i32, 1i32, 1i32, 1i32, 0i32] }

-- ==
-- entry: set_bit_to_0
-- input { [0i8, -1i8, 127i8, -128i8, 5i8]
--         [0i32, 7i32, 6i32, 7i32, 1i32] }
-- output { [0i8, 127i8, 63i8, 0i8, 5i8] }

-- ==
-- entry: set_bit_to_1
-- input { [0i8, -1i8, 127i8, -128i8, 5i8]
--         [0i32, 7i32, 6i32, 7i32, 1i32] }
-- output { [1i8, -1i8, 127i8, -128i8, 7i8] }

-- ==
-- entry: folds
-- input { [0i8, 1i8, 7i8, 127i8, -128i8, 126i8, 100i8, -7i8, -100i8, 5i8] }
-- output { -125i8 121i8 127i8 -128i8 }

-- ==
-- entry: folds_of_nothing
-- input { empty([0]i8) }
-- output { 0i8 1i8 -128i8 127i8 }

-- ==
-- entry: constants
-- input { }
-- output { 127i8 -128i8 8i32 }

entry add [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.+) xs ys
entry sub [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.-) xs ys
entry mul [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.*) xs ys
entry div [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8./) xs ys
entry mod [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.%) xs ys
entry quot [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.//) xs ys
entry rem [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.%%) xs ys
entry pow [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.**) xs ys
entry and_ [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.&) xs ys
entry or_ [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.|) xs ys
entry xor [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.^) xs ys
entry shift_left [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.<<) xs ys
entry shift_right [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.>>) xs ys
entry shift_right_logical [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.>>>) xs ys
entry equal [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.==) xs ys
entry unequal [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.!=) xs ys
entry less [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.<) xs ys
entry less_equal [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.<=) xs ys
entry greater [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.>) xs ys
entry greater_equal [n] (xs: [n]i8) (ys: [n]i8) = map2 (i8.>=) xs ys
entry max [n] (xs: [n]i8) (ys: [n]i8) = map2 i8.max xs ys
entry min [n] (xs: [n]i8) (ys: [n]i8) = map2 i8.min xs ys
entry mul_hi [n] (xs: [n]i8) (ys: [n]i8) = map2 i8.mul_hi xs ys
entry mad_hi [n] (xs: [n]i8) (ys: [n]i8) = map3 i8.mad_hi xs ys xs
entry neg (xs: []i8) = map i8.neg xs
entry abs (xs: []i8) = map i8.abs xs
entry sgn (xs: []i8) = map i8.sgn xs
entry not (xs: []i8) = map i8.not xs
entry popc (xs: []i8) = map i8.popc xs
entry clz (xs: []i8) = map i8.clz xs
entry ctz (xs: []i8) = map i8.ctz xs
entry to_i64 (xs: []i8) = map i8.to_i64 xs
entry get_bit [n] (xs: [n]i8) (bits: [n]i32) = map2 i8.get_bit bits xs
entry set_bit_to_0 [n] (xs: [n]i8) (bits: [n]i32) = map2 (\x i -> i8.set_bit i x 0) xs bits
entry set_bit_to_1 [n] (xs: [n]i8) (bits: [n]i32) = map2 (\x i -> i8.set_bit i x 1) xs bits
entry folds (xs: []i8) = (i8.sum xs, i8.product xs[1:4], i8.maximum xs, i8.minimum xs)
entry folds_of_nothing (xs: []i8) = (i8.sum xs, i8.product xs, i8.maximum xs, i8.minimum xs)
entry constants : (i8, i8, i32) = (i8.highest, i8.lowest, i8.num_bits)
