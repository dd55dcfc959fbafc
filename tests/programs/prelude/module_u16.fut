-- Every function of the module `u16`, with the greatest and the least values among the operands.
-- ==
-- entry: add
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [3u16, 0u16, 10u16, 1u16, 65535u16, 65533u16, 107u16, 65531u16, 65429u16, 10u16] }

-- ==
-- entry: sub
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [65533u16, 2u16, 4u16, 65533u16, 1u16, 65535u16, 93u16, 65527u16, 65443u16, 0u16] }

-- ==
-- entry: mul
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [0u16, 65535u16, 21u16, 65534u16, 0u16, 2u16, 700u16, 65522u16, 700u16, 25u16] }

-- ==
-- entry: div
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [0u16, 0u16, 2u16, 32767u16, 0u16, 0u16, 14u16, 32764u16, 0u16, 1u16] }

-- ==
-- entry: mod
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [0u16, 1u16, 1u16, 1u16, 0u16, 65534u16, 2u16, 1u16, 65436u16, 0u16] }

-- ==
-- entry: quot
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [0u16, 0u16, 2u16, 32767u16, 0u16, 0u16, 14u16, 32764u16, 0u16, 1u16] }

-- ==
-- entry: rem
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [0u16, 1u16, 1u16, 1u16, 0u16, 65534u16, 2u16, 1u16, 65436u16, 0u16] }

-- ==
-- entry: pow
-- input { [0u16, 1u16, 3u16, 65535u16, 0u16, 2u16, 2u16, 65535u16, 65533u16]
--         [0u16, 65535u16, 5u16, 3u16, 1u16, 15u16, 16u16, 7u16, 3u16] }
-- output { [1u16, 1u16, 243u16, 65535u16, 0u16, 32768u16, 0u16, 65535u16, 65509u16] }

-- ==
-- entry: and_
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [0u16, 1u16, 3u16, 2u16, 0u16, 65534u16, 4u16, 0u16, 65432u16, 5u16] }

-- ==
-- entry: or_
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [3u16, 65535u16, 7u16, 65535u16, 65535u16, 65535u16, 103u16, 65531u16, 65533u16, 5u16] }

-- ==
-- entry: xor
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [3u16, 65534u16, 4u16, 65533u16, 65535u16, 1u16, 99u16, 65531u16, 101u16, 0u16] }

-- ==
-- entry: shift_left
-- input { [1u16, 65535u16, 0u16, 5u16, 65535u16, 65436u16]
--         [15u16, 1u16, 15u16, 0u16, 3u16, 2u16] }
-- output { [32768u16, 65534u16, 0u16, 5u16, 65528u16, 65136u16] }

-- ==
-- entry: shift_right
-- input { [1u16, 65535u16, 0u16, 5u16, 65535u16, 65436u16]
--         [15u16, 1u16, 15u16, 0u16, 3u16, 2u16] }
-- output { [0u16, 32767u16, 0u16, 5u16, 8191u16, 16359u16] }

-- ==
-- entry: shift_right_logical
-- input { [1u16, 65535u16, 0u16, 5u16, 65535u16, 65436u16]
--         [15u16, 1u16, 15u16, 0u16, 3u16, 2u16] }
-- output { [0u16, 32767u16, 0u16, 5u16, 8191u16, 16359u16] }

-- ==
-- entry: equal
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [false, false, false, false, false, false, false, false, false, true] }

-- ==
-- entry: unequal
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [true, true, true, true, true, true, true, true, true, false] }

-- ==
-- entry: less
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [true, true, false, false, true, true, false, false, true, false] }

-- ==
-- entry: less_equal
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [true, true, false, false, true, true, false, false, true, true] }

-- ==
-- entry: greater
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [false, false, true, true, false, false, true, true, false, false] }

-- ==
-- entry: greater_equal
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [false, false, true, true, false, false, true, true, false, true] }

-- ==
-- entry: max
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [3u16, 65535u16, 7u16, 65535u16, 65535u16, 65535u16, 100u16, 65529u16, 65529u16, 5u16] }

-- ==
-- entry: min
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [0u16, 1u16, 3u16, 2u16, 0u16, 65534u16, 7u16, 2u16, 65436u16, 5u16] }

-- ==
-- entry: mul_hi
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [0u16, 0u16, 0u16, 1u16, 0u16, 65533u16, 0u16, 1u16, 65429u16, 0u16] }

-- ==
-- entry: mad_hi
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16]
--         [3u16, 65535u16, 3u16, 2u16, 65535u16, 65535u16, 7u16, 2u16, 65529u16, 5u16] }
-- output { [0u16, 1u16, 7u16, 0u16, 0u16, 65531u16, 100u16, 65530u16, 65329u16, 5u16] }

-- ==
-- entry: neg
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16] }
-- output { [0u16, 65535u16, 65529u16, 1u16, 0u16, 2u16, 65436u16, 7u16, 100u16, 65531u16] }

-- ==
-- entry: abs
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16] }
-- output { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16] }

-- ==
-- entry: sgn
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16] }
-- output { [0u16, 1u16, 1u16, 1u16, 0u16, 1u16, 1u16, 1u16, 1u16, 1u16] }

-- ==
-- entry: not
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16] }
-- output { [65535u16, 65534u16, 65528u16, 0u16, 65535u16, 1u16, 65435u16, 6u16, 99u16, 65530u16] }

-- ==
-- entry: popc
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16] }
-- output { [0i32, 1i32, 3i32, 16i32, 0i32, 15i32, 3i32, 14i32, 12i32, 2i32] }

-- ==
-- entry: clz
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16] }
-- output { [16i32, 15i32, 13i32, 0i32, 16i32, 0i32, 9i32, 0i32, 0i32, 13i32] }

-- ==
-- entry: ctz
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16] }
-- output { [16i32, 0i32, 0i32, 0i32, 16i32, 1i32, 2i32, 0i32, 2i32, 0i32] }

-- ==
-- entry: to_i64
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16] }
-- output { [0i64, 1i64, 7i64, 65535i64, 0i64, 65534i64, 100i64, 65529i64, 65436i64, 5i64] }

-- ==
-- entry: get_bit
-- input { [0u16, 65535u16, 65535u16, 0u16, 5u16]
--         [0i32, 15i32, 14i32, 15i32, 1i32] }
-- output { [0i32, 1i32, 1i32, 0i32, 0i32] }

-- ==
-- entry: set_bit_to_0
-- input { [0u16, 65535u16, 65535u16, 0u16, 5u16]
--         [0i32, 15i32, 14i32, 15i32, 1i32] }
-- output { [0u16, 32767u16, 49151u16, 0u16, 5u16] }

-- ==
-- entry: set_bit_to_1
-- input { [0u16, 65535u16, 65535u16, 0u16, 5u16]
--         [0i32, 15i32, 14i32, 15i32, 1i32] }
-- output { [1u16, 65535u16, 65535u16, 32768u16, 7u16] }

-- ==
-- entry: folds
-- input { [0u16, 1u16, 7u16, 65535u16, 0u16, 65534u16, 100u16, 65529u16, 65436u16, 5u16] }
-- output { 3u16 65529u16 65535u16 0u16 }

-- ==
-- entry: folds_of_nothing
-- input { empty([0]u16) }
-- output { 0u16 1u16 0u16 65535u16 }

-- ==
-- entry: constants
-- input { }
-- output { 65535u16 0u16 16i32 }

entry add [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.+) xs ys
entry sub [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.-) xs ys
entry mul [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.*) xs ys
entry div [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16./) xs ys
entry mod [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.%) xs ys
entry quot [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.//) xs ys
entry rem [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.%%) xs ys
entry pow [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.**) xs ys
entry and_ [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.&) xs ys
entry or_ [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.|) xs ys
entry xor [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.^) xs ys
entry shift_left [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.<<) xs ys
entry shift_right [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.>>) xs ys
entry shift_right_logical [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.>>>) xs ys
entry equal [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.==) xs ys
entry unequal [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.!=) xs ys
entry less [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.<) xs ys
entry less_equal [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.<=) xs ys
entry greater [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.>) xs ys
entry greater_equal [n] (xs: [n]u16) (ys: [n]u16) = map2 (u16.>=) xs ys
entry max [n] (xs: [n]u16) (ys: [n]u16) = map2 u16.max xs ys
entry min [n] (xs: [n]u16) (ys: [n]u16) = map2 u16.min xs ys
entry mul_hi [n] (xs: [n]u16) (ys: [n]u16) = map2 u16.mul_hi xs ys
entry mad_hi [n] (xs: [n]u16) (ys: [n]u16) = map3 u16.mad_hi xs ys xs
entry neg (xs: []u16) = map u16.neg xs
entry abs (xs: []u16) = map u16.abs xs
entry sgn (xs: []u16) = map u16.sgn xs
entry not (xs: []u16) = map u16.not xs
entry popc (xs: []u16) = map u16.popc xs
entry clz (xs: []u16) = map u16.clz xs
entry ctz (xs: []u16) = map u16.ctz xs
entry to_i64 (xs: []u16) = map u16.to_i64 xs
entry get_bit [n] (xs: [n]u16) (bits: [n]i32) = map2 u16.get_bit bits xs
entry set_bit_to_0 [n] (xs: [n]u16) (bits: [n]i32) = map2 (\x i -> u16.set_bit i x 0) xs bits
entry set_bit_to_1 [n] (xs: [n]u16) (bits: [n]i32) = map2 (\x i -> u16.set_bit i x 1) xs bits
entry folds (xs: []u16) = (u16.sum xs, u16.product xs[1:4], u16.maximum xs, u16.minimum xs)
entry folds_of_nothing (xs: []u16) = (u16.sum xs, u16.product xs, u16.maximum xs, u16.minimum xs)
entry constants : (u16, u16, i32) = (u16.highest, u16.lowest, u16.num_bits)
