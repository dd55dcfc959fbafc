-- Bounds and strides near the ends of i64 and u64: what would wrap around does not.
-- ==
-- entry: stepped
-- input { 4611686018427387904i64 -9223372036854775807i64 4611686018427387909i64 } error: is invalid
-- input { 1i64 2i64 3i64 } output { [1i64, 2i64, 3i64] }
entry stepped (a: i64) (b: i64) (c: i64) = a..b...c
-- ==
-- entry: unsigned
-- input { 5u64 9223372036854775813u64 3u64 } error: is invalid
entry unsigned (a: u64) (b: u64) (c: u64) = a..b...c
