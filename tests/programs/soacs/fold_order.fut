-- The order of reductions, scans and histograms, held against loops that do the same one step after
-- the other: equal to the bit, though every step rounds.
-- ==
-- entry: reductions scans matrices
-- unlawful input { 0i64 } output { true }
-- unlawful input { 1i64 } output { true }
-- unlawful input { 63i64 } output { true }
-- unlawful input { 64i64 } output { true }
-- unlawful input { 65i64 } output { true }
-- unlawful input { 128i64 } output { true }
-- unlawful input { 129i64 } output { true }
-- unlawful input { 511i64 } output { true }
-- unlawful input { 513i64 } output { true }
-- unlawful input { 1000i64 } output { true }
-- unlawful input { 1023i64 } output { true }
-- unlawful input { 1024i64 } output { true }
-- unlawful input { 1025i64 } output { true }
-- unlawful input { 2047i64 } output { true }
-- unlawful input { 2048i64 } output { true }
-- unlawful input { 2049i64 } output { true }
-- unlawful input { 2112i64 } output { true }
-- unlawful input { 3136i64 } output { true }
-- unlawful input { 4095i64 } output { true }
-- unlawful input { 4096i64 } output { true }
-- unlawful input { 4097i64 } output { true }
-- unlawful input { 4161i64 } output { true }
-- unlawful input { 6143i64 } output { true }
-- unlawful input { 6145i64 } output { true }
-- unlawful input { 8192i64 } output { true }
-- unlawful input { 12345i64 } output { true }

-- | Rows of 64 from the neutral element on, 64 rows each, then all of those.
def reduced 'a [n] (op: a -> a -> a) (ne: a) (xs: [n]a) : a =
  let rows = (n + 63) / 64
  let row k = loop r = ne for i in 64 * k..<i64.min n (64 * k + 64) do op r xs[i]
  let block b =
    loop r = row (64 * b) for k in 64 * b + 1..<i64.min rows (64 * b + 64) do op r (row k)
  in if n == 0
     then ne
     else loop r = block 0 for b in 1..<(rows + 63) / 64 do op r (block b)

-- | Prefixes within pieces of a length, the first element of each as `begin` makes it.
def prefixes 'a [n] (op: a -> a -> a) (length: i64) (begin: a -> a) (xs: [n]a) : [n]a =
  loop out = copy xs for i < n do
    let x = copy (if i % length == 0 then begin xs[i] else op out[i - 1] xs[i])
    in out with [i] = x

-- | The last element of each piece.
def lasts 'a [n] (length: i64) (xs: [n]a) : []a =
  tabulate ((n + length - 1) / length) (\k -> xs[i64.min n (length * (k + 1)) - 1])

def scanned 'a [n] (op: a -> a -> a) (ne: a) (xs: [n]a) : [n]a =
  let within_row = prefixes op 64 (op ne) xs
  let rows = prefixes op 64 (\x -> x) (lasts 64 within_row)
  let blocks = prefixes op (i64.max 1 n) (\x -> x) (lasts 64 rows)
  in tabulate n (\i ->
       let (k, b) = (i / 64, i / 4096)
       let p = within_row[i]
       in if k == 0
          then p
          else if b == 0
          then op rows[k - 1] p
          else if k % 64 == 0
          then op blocks[b - 1] p
          else op (op blocks[b - 1] rows[k - 1]) p)

def binned 'a [n] [m] (op: a -> a -> a) (ne: a) (dest: *[m]a) (is: [n]i64) (xs: [n]a) : *[m]a =
  let into (bins: *[m]a) (begin: i64) (end: i64) : *[m]a =
    loop bins for i in begin..<end do
      if is[i] < 0 || is[i] >= m
      then bins
      else let b = copy bins[is[i]]
           in bins with [is[i]] = op b xs[i]
  let segments = i64.min 64 (n / i64.max 4096 (16 * m))
  in if segments < 2
     then into dest 0 n
     else let length = ((n + segments - 1) / segments + 4095) / 4096 * 4096
          in loop dest for j < (n + length - 1) / length do
               map2 op dest (into (replicate m ne) (j * length) (i64.min n ((j + 1) * length)))

def single (i: i64) : f32 = f32.i64 (i % 7 - 3) / f32.i64 (i + 1)
def double (i: i64) : f64 = f64.i64 (i % 11 - 4) / f64.i64 (i + 1)
def near_one (i: i64) : f32 = 1 + single i / 16

type mixed = {sum: f32, product: f32, difference: f64}
def mixed (i: i64) : mixed = {sum = single i, product = near_one i, difference = double i}
def combine (a: mixed) (b: mixed) : mixed =
  {sum = a.sum + b.sum, product = a.product * b.product, difference = a.difference - b.difference}
def nothing : mixed = {sum = 0, product = 1, difference = 0}

def same32 (a: f32) (b: f32) = f32.to_bits a == f32.to_bits b
def same64 (a: f64) (b: f64) = f64.to_bits a == f64.to_bits b
def same (a: mixed) (b: mixed) =
  same32 a.sum b.sum && same32 a.product b.product && same64 a.difference b.difference

-- ==
-- entry: reductions scans
-- unlawful long input { 262143i64 } output { true }
-- unlawful long input { 262145i64 } output { true }
entry reductions (n: i64) : bool =
  let xs = tabulate n single
  let ys = tabulate n double
  let zs = tabulate n mixed
  in same32 (reduce (+) 0 xs) (reduced (+) 0 xs)
     && same64 (reduce_comm (+) 0 ys) (reduced (+) 0 ys)
     && same64 (reduce (-) 0 ys) (reduced (-) 0 ys)
     && same32 (reduce (\a b -> b - a) 0 xs) (reduced (\a b -> b - a) 0 xs)
     && same (reduce combine nothing zs) (reduced combine nothing zs)

entry scans (n: i64) : bool =
  let xs = tabulate n single
  let ys = tabulate n double
  let zs = tabulate n mixed
  in and (map2 same32 (scan (+) 0 xs) (scanned (+) 0 xs))
     && and (map2 same64 (scan (+) 0 ys) (scanned (+) 0 ys))
     && and (map2 same64 (scan (-) 0 ys) (scanned (-) 0 ys))
     && and (map2 same (scan combine nothing zs) (scanned combine nothing zs))

-- ==
-- entry: histograms
-- unlawful input { 0i64 3i64 } output { true }
-- unlawful input { 100i64 3i64 } output { true }
-- unlawful input { 8191i64 3i64 } output { true }
-- unlawful input { 8192i64 3i64 } output { true }
-- unlawful input { 8193i64 1i64 } output { true }
-- unlawful input { 8192i64 256i64 } output { true }
-- unlawful input { 8192i64 257i64 } output { true }
-- unlawful input { 70001i64 6i64 } output { true }
-- unlawful long input { 300000i64 10i64 } output { true }
entry histograms (n: i64) (m: i64) : bool =
  let is = tabulate n (\i -> i * 7919 % (m + 1))
  let xs = tabulate n single
  let zs = tabulate n mixed
  let pairs = map (\i -> (i, i % 2)) is
  let flat = map (\i -> if i < m then 2 * i + i % 2 else -1) is
  in and (map2 same32 (hist (+) 0 m is xs) (binned (+) 0 (replicate m 0) is xs))
     && and (map2 same32
                  (reduce_by_index (tabulate m single) (+) 0 is xs)
                  (binned (+) 0 (tabulate m single) is xs))
     && and (map2 same32 (hist (-) 0 m is xs) (binned (-) 0 (replicate m 0) is xs))
     && and (map2 same
                  (hist combine nothing m is zs)
                  (binned combine nothing (replicate m nothing) is zs))
     && and (map2 same32
                  (flatten (reduce_by_index_2d (replicate m [0, 0]) (+) 0 pairs xs))
                  (binned (+) 0 (replicate (m * 2) 0) flat xs))

def matrix (i: i64) : [2][2]f32 =
  [[near_one i, single i / 8], [single (i + 1) / 8, near_one (i + 2)]]
def times (a: [2][2]f32) (b: [2][2]f32) : [2][2]f32 =
  map (\row -> map (\column -> row[0] * column[0] + row[1] * column[1]) (transpose b)) a
def identity : [2][2]f32 = [[1, 0], [0, 1]]
def same_matrix (a: [2][2]f32) (b: [2][2]f32) = and (map2 same32 (flatten a) (flatten b))

entry matrices (n: i64) : bool =
  let xs = tabulate n matrix
  in same_matrix (reduce times identity xs) (reduced times identity xs)
     && and (map2 same_matrix (scan times identity xs) (scanned times identity xs))
