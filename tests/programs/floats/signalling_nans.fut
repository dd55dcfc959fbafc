-- A NaN of either kind loses against a number, wherever it stands, and zeros have an order.
-- ==
-- entry: extremes32
-- input { [2139095041u32, 1065353216, 2147483648, 0, 4286578689] } output { 1f32 -0f32 1f32 -0f32 }
-- input { [2139095041u32] } output { -f32.inf f32.inf -f32.inf f32.inf }
-- input { [2147483648u32, 2139095041, 0] } output { 0f32 -0f32 0f32 -0f32 }
-- input { empty([0]u32) } output { -f32.inf f32.inf -f32.inf f32.inf }
entry extremes32 [n] (bits: [n]u32) : (f32, f32, f32, f32) =
  -- Made on the way, and read from memory.
  let xs = map f32.from_bits bits
  let read = opaque (copy xs)
  in (f32.maximum xs, f32.minimum xs, f32.maximum read, f32.minimum read)

-- ==
-- entry: extremes64
-- input { [9218868437227405313u64, 4607182418800017408, 0, 9223372036854775808] }
-- output { 1f64 -0f64 1f64 -0f64 }
-- input { [18442240474082181121u64] } output { -f64.inf f64.inf -f64.inf f64.inf }
entry extremes64 [n] (bits: [n]u64) : (f64, f64, f64, f64) =
  let xs = map f64.from_bits bits
  let read = opaque (copy xs)
  in (f64.maximum xs, f64.minimum xs, f64.maximum read, f64.minimum read)

-- Of many, in every place of a register: a number among signalling NaNs, NaNs among numbers, what
-- arithmetic makes of them.
-- ==
-- entry: everywhere
-- input { 1000i64 } output { true }
-- input { 77i64 } output { true }
entry everywhere (n: i64) : bool =
  let nan = f32.from_bits 0x7f800001
  let among (k: i64) = opaque (tabulate n (\i -> if i == k then f32.i64 k - 3 else nan))
  let between (k: i64) = opaque (tabulate n (\i -> if i == k then nan else f32.i64 i))
  let at k =
    let (few, most) = (among k, between k)
    let last = f32.i64 (if k == n - 1 then n - 2 else n - 1)
    in f32.maximum few == f32.i64 k - 3
       && f32.minimum few == f32.i64 k - 3
       && f32.maximum most == last
       && f32.minimum most == f32.i64 (i64.bool (k == 0))
       && f32.maximum (map (\x -> x - 1) most) == last - 1
       && all (\(x, y) -> f32.max x y == y || f32.isnan y) (zip few (map (+ 1000) most))
       && map2 f32.max few most == map2 f32.max most few
  in all at (0..<i64.min n 70)
