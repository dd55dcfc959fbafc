-- ==
-- entry: to_integer
-- input { [2.7, -2.7, 0.5] } output { [2, -2, 0] }
entry to_integer (xs: []f64) = map i32.f64 xs
-- ==
-- entry: special
-- input { } output { 0i32 0i64 }
entry special = (i32.f64 f64.nan, i64.f64 f64.inf)
-- ==
-- entry: from_integer
-- input { -3i32 7u8 } output { -3.0 7.0f32 }
entry from_integer (x: i32) (y: u8) = (f64.i32 x, f32.u8 y)
