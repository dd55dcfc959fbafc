-- Sums of floats whose elements need arrays of their own, at places that only values tell: more
-- numbers than a thread of a device has registers for.

-- ==
-- entry: walks
-- input { 0i64 } output { 0.0f32 }
-- input { 1i64 } output { -2.0f32 }
-- input { 70i64 } output { 9.0625f32 }
-- input { 5000i64 } output { -75.0f32 }
-- input { 20000i64 } output { -269.25f32 }

-- ==
-- entry: walks_and_bytes
-- input { 70i64 } output { 518.75f64 }
-- input { 4100i64 } output { 33599.4375f64 }

-- | A walk that goes on from its own middle.
def walk (i: i64) : [40]f32 =
  loop xs = replicate 40 (f32.i64 (i % 7)) for j < 39 do
    xs with [1 + (j * 7 + i) % 39] = 0.5 * xs[(i + j) % 40] + f32.i64 (j % 5)

entry walks (n: i64) : f32 =
  f32.sum (tabulate n (\i -> let xs = walk i in xs[i * i % 40] - xs[39 - i % 3]))

-- Elements of several sizes.
entry walks_and_bytes (n: i64) : f64 =
  f64.sum (tabulate n (\i ->
    let xs = walk i
    let marks = loop marks = replicate 48 0u8 for j < 30 do
      marks with [(j * j + i) % 48] = marks[(j + i) % 48] + u8.i64 j
    let totals = loop totals = replicate 20 0.25f64 for j < 19 do
      totals with [(j * 3 + i) % 20] = totals[j] + f64.f32 xs[(j + i) % 40] + f64.u8 marks[j]
    in totals[i % 20]))
