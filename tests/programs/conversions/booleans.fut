-- ==
-- input { true false } output { 1i32 0i64 1.0f32 true false }
entry main (t: bool) (f: bool) = (i32.bool t, i64.bool f, f32.bool t, bool.i32 7, bool.f64 0)
