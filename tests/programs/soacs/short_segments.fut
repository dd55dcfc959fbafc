-- Segments of so few elements that lanes which each have one read them in small squares: sums in
-- order, also where some are empty, where all fit exactly, and where one is longer.
-- ==
-- entry: agree
-- input { 200i64 0i64 } output { true }
-- input { 200i64 1i64 } output { true }
-- input { 200i64 3i64 } output { true }
-- input { 200i64 4i64 } output { true }
-- input { 200i64 5i64 } output { true }
-- input { 37i64 4i64 } output { true }
-- input { 1000i64 9i64 } output { true }

-- | Where segments of 0 to `most` elements begin; each hundredth one is longer by two.
def begins (n: i64) (most: i64) : [n + 1]i64 =
  let lengths = tabulate n (\i -> (i * 7919 + i / 3) % (most + 1) + (if i % 100 == 99 then 2 else 0))
  let ends = scan (+) 0 lengths
  in tabulate (n + 1) (\i -> if i == 0 then 0 else ends[i - 1])

-- | Each segment reduced, and folded by a loop.
def both 'a [n] (op: a -> a -> a) (ne: a) (at: [n]i64) (xs: []a) : [](a, a) =
  tabulate (n - 1) (\i ->
    let part = xs[at[i]:at[i + 1]]
    in (reduce op ne part, loop sum = ne for x in part do sum `op` x))

entry agree (n: i64) (most: i64) : bool =
  let at = begins n most
  let f = tabulate (last at) (\i -> f32.i64 (i * 7919 % 1000) / 37)
  let d = map (\x -> f64.f32 x / 3) f
  let w = map (\x -> i64.f32 (x * 100)) f
  let b = map u8.i64 w
  in and (map (\(x, y) -> x == y) (both (+) 0 at f))
     && and (map (\(x, y) -> x == y) (both (*) 1 at d))
     && and (map (\(x, y) -> x == y) (both (+) 0 at w))
     && and (map (\(x, y) -> x == y) (both (^) 0 at b))
     && and (map (\(x, y) -> x == y) (both (\(p, q) (r, s) -> (p + r, q * s)) (0, 1) at (zip f d)))
