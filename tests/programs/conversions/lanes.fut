-- Integers of 64 bits as floats, many at a time: in 32 bits and beyond, where they are rounded.

-- Indices, from some number on.
-- ==
-- entry: indices
-- input { 100i64 0i64 } output { true }
-- input { 100i64 -50i64 } output { true }
-- input { 100i64 16777180i64 } output { true }
-- input { 100i64 2147483600i64 } output { true }
-- input { 100i64 -2147483700i64 } output { true }
-- input { 100i64 9007199254740950i64 } output { true }
-- input { 100i64 9223372036854775700i64 } output { true }
entry indices (n: i64) (from: i64) : bool =
  let singles = tabulate n (\i -> f32.i64 (from + i))
  let doubles = tabulate n (\i -> f64.i64 (from + i))
  -- (The halves of a number are exact in doubles, and their sum is rounded once.)
  let of_halves x = f64.i64 (x >> 32) * 4294967296 + f64.i64 (x & 4294967295)
  in and (tabulate n (\i -> doubles[i] == of_halves (from + i)))
     && and (tabulate n (\i -> f64.abs (f64.f32 singles[i] - doubles[i])
                               <= f64.abs doubles[i] * 5.9604644775390625e-8))

-- ==
-- entry: elements
-- input { [0i64, -1i64, 16777217i64, 16777219i64, -2147483648i64, 2147483647i64, 2147483648i64, 4294967297i64, 9223372036854775807i64, -9223372036854775808i64] }
-- output { [0f32, -1f32, 16777216f32, 16777220f32, -2147483648f32, 2147483648f32, 2147483648f32, 4294967296f32, 9223372036854775808f32, -9223372036854775808f32] }
entry elements (xs: []i64) = map f32.i64 xs

-- ==
-- entry: unsigned
-- input { [0u64, 1u64, 16777217u64, 2147483647u64, 2147483648u64, 4294967295u64, 4294967297u64, 9223372036854775808u64, 18446744073709551615u64] }
-- output { [0f64, 1f64, 16777217f64, 2147483647f64, 2147483648f64, 4294967295f64, 4294967297f64, 9223372036854775808f64, 18446744073709551616f64] }
entry unsigned (xs: []u64) = map f64.u64 xs
