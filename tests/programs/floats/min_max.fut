-- ==
-- input { [3.0f32, -1.0f32, 2.0f32] } output { -1.0f32 3.0f32 }
entry main (xs: []f32) = (f32.minimum xs, f32.maximum xs)
