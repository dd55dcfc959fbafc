-- Stencils whose indices are clamped at the borders, on rows shorter and longer than vectors; and
-- sums of more than is read.
-- ==
-- entry: five_points
-- input { 1i64 1i64 }
-- output { 0u32 }
-- input { 1i64 70i64 }
-- output { 3815518687u32 }
-- input { 3i64 16i64 }
-- output { 412921699u32 }
-- input { 17i64 33i64 }
-- output { 3071754790u32 }
-- input { 40i64 128i64 }
-- output { 1323191124u32 }
-- input { 9i64 201i64 }
-- output { 3339734471u32 }

-- ==
-- entry: nine_points
-- input { 1i64 1i64 }
-- output { 0u32 }
-- input { 2i64 17i64 }
-- output { 294518136u32 }
-- input { 40i64 64i64 }
-- output { 1029958287u32 }
-- input { 33i64 130i64 }
-- output { 1854036303u32 }

-- ==
-- entry: along_a_row
-- input { 1i64 }
-- output { 0u32 }
-- input { 15i64 }
-- output { 839193793u32 }
-- input { 64i64 }
-- output { 1694243178u32 }
-- input { 5000i64 }
-- output { 2840835684u32 }

-- ==
-- entry: far
-- input { 1i64 3i64 }
-- output { 0u32 }
-- input { 100i64 5i64 }
-- output { 2287863357u32 }
-- input { 100i64 -40i64 }
-- output { 3526873836u32 }
-- input { 100i64 1000i64 }
-- output { 107007648u32 }

-- ==
-- entry: sums
-- input { 0i64 }
-- output { 0.0f64 0.0f64 }
-- input { 63i64 }
-- output { 881.7837834954262f64 16235.94740410989f64 }
-- input { 1023i64 }
-- output { 13944.135138941929f64 253484.0228246217f64 }
-- input { 1024i64 }
-- output { 13947.621625376865f64 253496.1784122827f64 }
-- input { 9001i64 }
-- output { 122642.64868951589f64 2228922.2925750376f64 }

def image (n: i64) (m: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.i64 ((i * 7919 + j * 104729) % 1009) / 37)

-- | Tells apart any two arrays that differ in a bit, and almost any two others.
def digest [k] (xs: [k]f32) : u32 =
  reduce (+) 0 (map2 (\i x -> (2 * u32.i64 i + 1) * f32.to_bits x) (iota k) xs)

def near (n: i64) (i: i64) : i64 = i64.max 0 (i64.min (n - 1) i)

entry five_points (n: i64) (m: i64) : u32 =
  let step (t: [n][m]f32) =
    tabulate_2d n m (\i j ->
      let c = t[i, j]
      let north = t[i64.max 0 (i - 1), j]
      let south = t[i64.min (n - 1) (i + 1), j]
      let west = t[i, i64.max 0 (j - 1)]
      let east = t[i, i64.min (m - 1) (j + 1)]
      in c + 0.2 * (north + south - 2 * c) + 0.15 * (east - c) - 0.1 * (c - west))
  in digest (flatten (loop t = image n m for _i < 5i32 do step t))

entry nine_points (n: i64) (m: i64) : u32 =
  let a = image n m
  in digest (flatten (tabulate_2d n m (\i j ->
       let at k l = a[near n (i + k), near m (j + l)]
       let x = at (-1) 1 + 2 * at 0 1 + at 1 1 - at (-1) (-1) - 2 * at 0 (-1) - at 1 (-1)
       let y = at 1 (-1) + 2 * at 1 0 + at 1 1 - at (-1) (-1) - 2 * at (-1) 0 - at (-1) 1
       in f32.sqrt (x * x + y * y))))

entry along_a_row (n: i64) : u32 =
  let step (d: [n]f32) =
    tabulate n (\j ->
      f32.min (f32.min d[i64.max 0 (j - 1)] d[j]) d[i64.min (n - 1) (j + 1)] + f32.i64 (j % 13))
  in digest (loop d = flatten (image 1 n) :> [n]f32 for _i < 40i32 do step d)

entry far (n: i64) (k: i64) : u32 =
  let a = flatten (image 1 n) :> [n]f32
  in digest (tabulate n (\j -> a[near n (j + k)] - 2 * a[near n (j - k)]))

entry sums (n: i64) : (f64, f64) =
  let xs = flatten (image 1 n) :> [n]f32
  in reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0)
            (map (\x -> (f64.f32 x, f64.f32 x * f64.f32 x)) xs)
