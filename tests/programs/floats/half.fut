-- f16 rounds to half precision after each operation.
-- ==
-- entry: spacing
-- input { 2048f16 } output { 2048f16 2050f16 }
entry spacing (x: f16) = (x + 1, x + 2)
-- ==
-- entry: overflow
-- input { 60000f16 } output { f16.inf }
entry overflow (x: f16) = x * 2
-- ==
-- entry: convert
-- input { 0.1 } output { 0.099975586f32 }
entry convert (x: f64) = f32.f16 (f16.f64 x)
-- ==
-- entry: functions
-- input { 4f16 } output { 2f16 7.3890561f16 }
entry functions (x: f16) = (f16.sqrt x, f16.exp (x / 2))
