-- Every function of the module `i16`, with the greatest and the least values among the operands.
-- ==
-- entry: add
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [3i16, -32768i16, 10i16, -32767i16, 32767i16, -3i16, 107i16, -5i16, -107i16, 10i16] }

-- ==
-- entry: sub
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [-3i16, -32766i16, 4i16, 32765i16, -32767i16, -1i16, 93i16, -9i16, -93i16, 0i16] }

-- ==
-- entry: mul
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [0i16, 32767i16, 21i16, -2i16, -32768i16, -32766i16, 700i16, -14i16, 700i16, 25i16] }

-- ==
-- entry: div
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [0i16, 0i16, 2i16, 16383i16, -32768i16, 0i16, 14i16, -4i16, 14i16, 1i16] }

-- ==
-- entry: mod
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [0i16, 1i16, 1i16, 1i16, 0i16, 32766i16, 2i16, 1i16, -2i16, 0i16] }

-- ==
-- entry: quot
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [0i16, 0i16, 2i16, 16383i16, -32768i16, 0i16, 14i16, -3i16, 14i16, 1i16] }

-- ==
-- entry: rem
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [0i16, 1i16, 1i16, 1i16, 0i16, 32766i16, 2i16, -1i16, -2i16, 0i16] }

-- ==
-- entry: pow
-- input { [0i16, 1i16, 3i16, 32767i16, -32768i16, 2i16, 2i16, -1i16, -3i16]
--         [0i16, 32767i16, 5i16, 3i16, 1i16, 15i16, 16i16, 7i16, 3i16] }
-- output { [1i16, 1i16, 243i16, 32767i16, -32768i16, -32768i16, 0i16, -1i16, -27i16] }

-- ==
-- entry: and_
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [0i16, 1i16, 3i16, 2i16, -32768i16, 32766i16, 4i16, 0i16, -104i16, 5i16] }

-- ==
-- entry: or_
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [3i16, 32767i16, 7i16, 32767i16, -1i16, 32767i16, 103i16, -5i16, -3i16, 5i16] }

-- ==
-- entry: xor
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [3i16, 32766i16, 4i16, 32765i16, 32767i16, 1i16, 99i16, -5i16, 101i16, 0i16] }

-- ==
-- entry: shift_left
-- input { [1i16, 32767i16, -32768i16, 5i16, -1i16, -100i16]
--         [15i16, 1i16, 15i16, 0i16, 3i16, 2i16] }
-- output { [-32768i16, -2i16, 0i16, 5i16, -8i16, -400i16] }

-- ==
-- entry: shift_right
-- input { [1i16, 32767i16, -32768i16, 5i16, -1i16, -100i16]
--         [15i16, 1i16, 15i16, 0i16, 3i16, 2i16] }
-- output { [0i16, 16383i16, -1i16, 5i16, -1i16, -25i16] }

-- ==
-- entry: shift_right_logical
-- input { [1i16, 32767i16, -32768i16, 5i16, -1i16, -100i16]
--         [15i16, 1i16, 15i16, 0i16, 3i16, 2i16] }
-- output { [0i16, 16383i16, 1i16, 5i16, 8191i16, 16359i16] }

-- ==
-- entry: equal
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [false, false, false, false, false, false, false, false, false, true] }

-- ==
-- entry: unequal
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [true, true, true, true, true, true, true, true, true, false] }

-- ==
-- entry: less
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [true, true, false, false, true, true, false, true, true, false] }

-- ==
-- entry: less_equal
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [true, true, false, false, true, true, false, true, true, true] }

-- ==
-- entry: greater
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [false, false, true, true, false, false, true, false, false, false] }

-- ==
-- entry: greater_equal
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [false, false, true, true, false, false, true, false, false, true] }

-- ==
-- entry: max
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [3i16, 32767i16, 7i16, 32767i16, -1i16, 32767i16, 100i16, 2i16, -7i16, 5i16] }

-- ==
-- entry: min
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [0i16, 1i16, 3i16, 2i16, -32768i16, 32766i16, 7i16, -7i16, -100i16, 5i16] }

-- ==
-- entry: mul_hi
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [0i16, 0i16, 0i16, 0i16, 0i16, 16382i16, 0i16, -1i16, 0i16, 0i16] }

-- ==
-- entry: mad_hi
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16]
--         [3i16, 32767i16, 3i16, 2i16, -1i16, 32767i16, 7i16, 2i16, -7i16, 5i16] }
-- output { [0i16, 1i16, 7i16, 32767i16, -32768i16, -16388i16, 100i16, -8i16, -100i16, 5i16] }

-- ==
-- entry: neg
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16] }
-- output { [0i16, -1i16, -7i16, -32767i16, -32768i16, -32766i16, -100i16, 7i16, 100i16, -5i16] }

-- ==
-- entry: abs
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16] }
-- output { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, 7i16, 100i16, 5i16] }

-- ==
-- entry: sgn
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16] }
-- output { [0i16, 1i16, 1i16, 1i16, -1i16, 1i16, 1i16, -1i16, -1i16, 1i16] }

-- ==
-- entry: not
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16] }
-- output { [-1i16, -2i16, -8i16, -32768i16, 32767i16, -32767i16, -101i16, 6i16, 99i16, -6i16] }

-- ==
-- entry: popc
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16] }
-- output { [0i32, 1i32, 3i32, 15i32, 1i32, 14i32, 3i32, 14i32, 12i32, 2i32] }

-- ==
-- entry: clz
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16] }
-- output { [16i32, 15i32, 13i32, 1i32, 0i32, 1i32, 9i32, 0i32, 0i32, 13i32] }

-- ==
-- entry: ctz
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16] }
-- output { [16i32, 0i32, 0i32, 0i32, 15i32, 1i32, 2i32, 0i32, 2i32, 0i32] }

-- ==
-- entry: to_i64
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16] }
-- output { [0i64, 1i64, 7i64, 32767i64, -32768i64, 32766i64, 100i64, -7i64, -100i64, 5i64] }

-- ==
-- entry: get_bit
-- input { [0i16, -1i16, 32767i16, -32768i16, 5i16]
--         [0i32, 15i32, 14i32, 15i32, 1i32] }
-- output { [0i32, 1i32, 1i32, 1i32, 0i32] }

-- ==
-- entry: set_bit_to_0
-- input { [0i16, -1i16, 32767i16, -32768i16, 5i16]
--         [0i32, 15i32, 14i32, 15i32, 1i32] }
-- output { [0i16, 32767i16, 16383i16, 0i16, 5i16] }

-- ==
-- entry: set_bit_to_1
-- input { [0i16, -1i16, 32767i16, -32768i16, 5i16]
--         [0i32, 15i32, 14i32, 15i32, 1i32] }
-- output { [1i16, -1i16, 32767i16, -32768i16, 7i16] }

-- ==
-- entry: folds
-- input { [0i16, 1i16, 7i16, 32767i16, -32768i16, 32766i16, 100i16, -7i16, -100i16, 5i16] }
-- output { -32765i16 32761i16 32767i16 -32768i16 }

-- ==
-- entry: folds_of_nothing
-- input { empty([0]i16) }
-- output { 0i16 1i16 -32768i16 32767i16 }

-- ==
-- entry: constants
-- input { }
-- output { 32767i16 -32768i16 16i32 }

entry add [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.+) xs ys
entry sub [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.-) xs ys
entry mul [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.*) xs ys
entry div [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16./) xs ys
entry mod [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.%) xs ys
entry quot [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.//) xs ys
entry rem [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.%%) xs ys
entry pow [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.**) xs ys
entry and_ [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.&) xs ys
entry or_ [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.|) xs ys
entry xor [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.^) xs ys
entry shift_left [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.<<) xs ys
entry shift_right [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.>>) xs ys
entry shift_right_logical [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.>>>) xs ys
entry equal [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.==) xs ys
entry unequal [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.!=) xs ys
entry less [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.<) xs ys
entry less_equal [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.<=) xs ys
entry greater [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.>) xs ys
entry greater_equal [n] (xs: [n]i16) (ys: [n]i16) = map2 (i16.>=) xs ys
entry max [n] (xs: [n]i16) (ys: [n]i16) = map2 i16.max xs ys
entry min [n] (xs: [n]i16) (ys: [n]i16) = map2 i16.min xs ys
entry mul_hi [n] (xs: [n]i16) (ys: [n]i16) = map2 i16.mul_hi xs ys
entry mad_hi [n] (xs: [n]i16) (ys: [n]i16) = map3 i16.mad_hi xs ys xs
entry neg (xs: []i16) = map i16.neg xs
entry abs (xs: []i16) = map i16.abs xs
entry sgn (xs: []i16) = map i16.sgn xs
entry not (xs: []i16) = map i16.not xs
entry popc (xs: []i16) = map i16.popc xs
entry clz (xs: []i16) = map i16.clz xs
entry ctz (xs: []i16) = map i16.ctz xs
entry to_i64 (xs: []i16) = map i16.to_i64 xs
entry get_bit [n] (xs: [n]i16) (bits: [n]i32) = map2 i16.get_bit bits xs
entry set_bit_to_0 [n] (xs: [n]i16) (bits: [n]i32) = map2 (\x i -> i16.set_bit i x 0) xs bits
entry set_bit_to_1 [n] (xs: [n]i16) (bits: [n]i32) = map2 (\x i -> i16.set_bit i x 1) xs bits
entry folds (xs: []i16) = (i16.sum xs, i16.product xs[1:4], i16.maximum xs, i16.minimum xs)
entry folds_of_nothing (xs: []i16) = (i16.sum xs, i16.product xs, i16.maximum xs, i16.minimum xs)
entry constants : (i16, i16, i32) = (i16.highest, i16.lowest, i16.num_bits)
