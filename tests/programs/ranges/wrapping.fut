-- Bounds and strides near the ends of i64 and u64: what would wrap around does not.
-- ==
-- entry: stepped
-- input { 4611686018427387904i64 -9223372036854775807i64 4611686018427387909i64 } error: is invalid
-- input { -9223372036854775807i64 4611686018427387904i64 9223372036854775807i64 }
-- output { [-9223372036854775807i64, 4611686018427387904i64] }
-- input { -4611686018427387904i64 0i64 9223372036854775807i64 }
-- output { [-4611686018427387904i64, 0i64, 4611686018427387904i64] }
-- input { 1i64 2i64 3i64 } output { [1i64, 2i64, 3i64] }
entry stepped (a: i64) (b: i64) (c: i64) = a..b...c
-- ==
-- entry: unsigned
-- input { 5u64 9223372036854775813u64 3u64 } error: is invalid
-- input { 5u64 9223372036854775813u64 9223372036854775813u64 }
-- output { [5u64, 9223372036854775813u64] }
entry unsigned (a: u64) (b: u64) (c: u64) = a..b...c
-- ==
-- entry: sliced
-- input { [0, 1, 2, 3, 4] 4i64 1i64 } output { [4] }
-- input { [0, 1, 2, 3, 4] 4i64 2i64 } output { [4] }
-- input { [0, 1, 2, 3, 4] 4i64 0i64 } output { [4] }
entry sliced (xs: []i32) (a: i64) (b: i64) = xs[a:b:i64.lowest]
-- ==
-- entry: strided
-- input { [0, 1, 2, 3, 4] 4i64 1i64 -9223372036854775808i64 } output { [4] }
-- input { [0, 1, 2, 3, 4] 4i64 1i64 -3i64 } output { [4] }
-- input { [0, 1, 2, 3, 4] 4i64 1i64 0i64 } error: out of bounds
entry strided (xs: []i32) (a: i64) (b: i64) (stride: i64) = xs[a:b:stride]
