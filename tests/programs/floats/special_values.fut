-- ==
-- entry: make
-- input { } output { f64.inf -f64.inf f64.nan }
entry make = (1f64 / 0, -1f64 / 0, 0f64 / 0)
-- ==
-- entry: tests
-- input { } output { true true false true }
entry tests = (f32.isnan f32.nan, f32.isinf (-f32.inf), f32.nan == f32.nan, f32.nan != f32.nan)
-- ==
-- entry: negative_zero
-- input { } output { true true }
entry negative_zero = (0f64 == -0f64, 1 / (-0f64) < 0)
