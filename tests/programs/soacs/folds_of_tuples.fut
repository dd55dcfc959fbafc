-- Folds of tuples, whose parts meet, or not, or only in one direction.

def values (n: i64) : [n]f32 = tabulate n (\i -> f32.i64 (i * 7919 % 10007 + 1) / 1000)

def same [n] (xs: [n]f32) (ys: [n]f32) = and (map2 (\x y -> f32.to_bits x == f32.to_bits y) xs ys)

-- ==
-- entry: scans
-- unlawful input { 0i64 } output { true }
-- unlawful input { 1i64 } output { true }
-- unlawful input { 64i64 } output { true }
-- unlawful input { 10001i64 } output { true }
entry scans (n: i64) : bool =
  let xs = values n
  let (counts, sums, firsts) =
    unzip3 (scan (\(a, s, f) (b, t, _) -> (a + b, s + t, f)) (0i32, 0, 0i64)
                 (map (\x -> (1, x, 1)) xs))
  in counts == map i32.i64 (map (+ 1) (iota n)) && same sums (scan (+) 0 xs) && all (== 0) firsts

-- ==
-- entry: reductions
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 65i64 } output { true }
-- input { 10001i64 } output { true }
entry reductions (n: i64) : bool =
  let xs = values n
  let (sum, (greatest, at), rows) =
    reduce (\(s, (u, i), (r: [2]f32)) (t, (v, j), q) ->
              (s + t, if v > u then (v, j) else (u, i), map2 (+) r q))
           (0, (-f32.inf, -1), [0, 0])
           (map2 (\x i -> (x, (x, i), [x, 1])) xs (iota n))
  in f32.to_bits sum == f32.to_bits (f32.sum xs) &&
     f32.to_bits rows[0] == f32.to_bits (f32.sum xs) &&
     rows[1] == f32.i64 n &&
     (n == 0 || (greatest == f32.maximum xs && xs[at] == greatest))

-- Nobody needs the index of the least.
-- ==
-- entry: least_only
-- input { 10001i64 } output { 1i64 0.001f32 }
entry least_only (n: i64) : (i64, f32) =
  let (_, least, count) =
    reduce (\(i, u, c) (j, v, d) -> (if v < u then j else i, if v < u then v else u, c + d))
           (-1, f32.inf, 0) (map2 (\x i -> (i, x, if x < 0.0015 then 1 else 0)) (values n) (iota n))
  in (count, least)
