-- Sums of floats in so many bins that each takes its values in the order of all elements: threads
-- then share the bins.
def bin (k: i64) (i: i64) : i64 =
  let b = (i * 7919 + (i >> 5)) % (k + 11) - 5
  in if i % 7 == 0 then i % 3 else b

def value (i: i64) : f32 =
  if i == 40000 then f32.nan else f32.i64 (i % 1013) * 1.000001 ** f32.i64 (i % 19)

-- | One after the other.
def in_order [n] (k: i64) (is: [n]i64) (xs: [n]f32) : [k]f32 =
  loop bins = replicate k 0 for i < n do
    let b = is[i]
    in if 0 <= b && b < k then bins with [b] = bins[b] + xs[i] else bins

def same [k] (a: [k]f32) (b: [k]f32) =
  and (map2 (\x y -> (f32.isnan x && f32.isnan y) || f32.to_bits x == f32.to_bits y) a b)

-- ==
-- entry: sums
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 65535i64 9000i64 } output { true }
-- input { 65536i64 9000i64 } output { true }
-- input { 65537i64 2049i64 } output { true }
-- input { 200003i64 70001i64 } output { true }
-- input { 70000i64 0i64 } output { true }
entry sums (n: i64) (k: i64) =
  let is = tabulate n (bin k)
  let xs = tabulate n value
  in same (hist (+) 0 k is xs) (in_order k is xs)

-- ==
-- entry: onto
-- input { 100000i64 20000i64 } output { true }
entry onto (n: i64) (k: i64) =
  let is = tabulate n (bin k)
  let xs = tabulate n value
  let first = tabulate k (\b -> f32.i64 b * 0.1)
  let sums = reduce_by_index (copy first) (+) 0 is xs
  let expected = loop bins = copy first for i < n do
      let b = is[i]
      in if 0 <= b && b < k then bins with [b] = bins[b] + xs[i] else bins
  in same sums expected

-- ==
-- entry: pairs
-- unlawful input { 100000i64 20000i64 } output { true }
entry pairs (n: i64) (k: i64) =
  let is = tabulate n (bin k)
  let op (a: f32, c: i8) (b: f32, d: i8) = (a * 0.5 + b, 3 * c + d)
  let (sums, codes) =
    unzip (hist op (0, 0) k is (map (\i -> (value i, i8.i64 i)) (iota n)))
  let (expected, expected_codes) =
    loop (bins, codes) = (replicate k 0, replicate k 0) for i < n do
      let b = is[i]
      in if 0 <= b && b < k
         then let (x, c) = op (bins[b], codes[b]) (value i, i8.i64 i)
              in (bins with [b] = x, codes with [b] = c)
         else (bins, codes)
  in same sums expected && and (map2 (==) codes expected_codes)

-- What is read on the way may not be there: the first such element counts.
-- ==
-- entry: reads
-- input { 100000i64 99999i64 } error: Index .99999. out of bounds
-- input { 100000i64 70i64 } error: Index .70. out of bounds
entry reads (n: i64) (m: i64) =
  let table = tabulate m value
  in hist (+) 0 20000 (map (bin 20000) (iota n)) (map (\i -> table[i]) (iota n))
