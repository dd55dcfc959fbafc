-- ==
-- input { [1, 2] [3.0, 4.0] [true, false] } output { [1, 2] [3.0, 4.0] [true, false] [4.0, 6.0] }
entry main [n] (a: [n]i32) (b: [n]f64) (c: [n]bool) =
  let t = zip3 a b c
  let (x, y, z) = unzip3 t
  in (x, y, z, map (\(i, f, _) -> f64.i32 i + f) t)
