-- What the prelude has besides its modules: conversions of old, and functions that change nothing.
-- ==
-- entry: main
-- input { 3i32 -2.75f64 }
-- output { 3.0f32 -2i32 3.0f64 -2i32 false 3i32 [3i32] }

-- ==
-- entry: joined
-- input { [2i64, 0i64, 3i64] }
-- output { [2i64, 0i64, 3i64] [true, false, true, false, false] [0i64, 2i64, 2i64]
--          [0i64, 1i64, 0i64, 1i64, 2i64] [20i64, 0i64, 30i64] [0i64, 1i64, 0i64, 1i64, 2i64] }

entry main (n: i32) (x: f64) : (f32, i32, f64, i32, bool, i32, [1]i32) =
  (r32 n, t32 (f32.f64 x), r64 n, t64 x, not (n == 3), opaque n, opaque [n])

entry joined (ns: []i64) =
  let (sizes, firsts, begins, all, tens) = flatmap (\n -> (iota n, 10 * n)) ns
  let (_, _, _, again) = flatmap' iota ns
  in (sizes, firsts, begins, all, tens, again)
