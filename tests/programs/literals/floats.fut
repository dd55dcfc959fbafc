-- Decimal, exponent and hexadecimal floats.
-- ==
-- entry: decimal
-- input { } output { 0.5 1.25 100.0 0.001 }
entry decimal = (0.5, 1.25f64, 1e2, 1e-3)

-- ==
-- entry: hexadecimal
-- input { } output { 1.5 12.0 0.125f32 }
entry hexadecimal = (0x1.8p0, 0x1.8p3, 0x1.0p-3f32)

-- ==
-- entry: inferred
-- input { 2.0f32 } output { 3.5f32 }
entry inferred (x: f32) = x + 1.5
