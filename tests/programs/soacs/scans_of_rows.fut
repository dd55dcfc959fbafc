-- Scans of each row are the scans of the rows, one by one: to the last bit, however long they are.
def one_by_one 't [n] [m] (f: [m]t -> *[m]t) (zero: t) (xss: [n][m]t) : [n][m]t =
  loop yss = replicate n (replicate m zero) for i < n do yss with [i] = f xss[i]

def number (i: i64) (k: i64) : i64 = (i * 7919 + k * 104729) & 1023

def floats (n: i64) (m: i64) : [n][m]f32 =
  tabulate_2d n m (\i k -> f32.i64 (number i k << (k & 15)) / 7)

-- ==
-- entry: integers
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 3, 6], [4, 9, 15]] }
-- input { empty([2][0]i32) } output { empty([2][0]i32) }
-- input { [[5], [6]] } output { [[5], [6]] }
entry integers [n] [m] (xss: [n][m]i32) = map (scan (+) 0) xss

-- ==
-- entry: order_shows
-- input { 3i64 20i64 } output { true }
-- input { 100i64 70i64 } output { true }
-- input { 2i64 9000i64 } output { true }
-- input { 40i64 4100i64 } output { true }
entry order_shows (n: i64) (m: i64) =
  let xss = floats n m
  in map (scan (+) 0) xss == one_by_one (scan (+) 0) 0 xss

-- ==
-- entry: order_does_not_show
-- input { 3i64 20i64 } output { true }
-- input { 100i64 70i64 } output { true }
-- input { 2i64 9000i64 } output { true }
-- input { 300i64 9i64 } output { true }
entry order_does_not_show (n: i64) (m: i64) =
  let xss = tabulate_2d n m number
  in map (scan (+) 0) xss == one_by_one (scan (+) 0) 0 xss
     && map (scan i64.max i64.lowest) xss == one_by_one (scan i64.max i64.lowest) i64.lowest xss

-- ==
-- entry: columns
-- input { 3i64 20i64 } output { true }
-- input { 30i64 700i64 } output { true }
entry columns (n: i64) (m: i64) =
  let xss = floats m n
  in map (scan (+) 0) (transpose xss) == one_by_one (scan (+) 0) 0 (transpose xss)

-- Two values that belong together, of elements that are computed on the way, and these beside them.
-- ==
-- entry: of_pairs
-- input { 3i64 20i64 } output { true }
-- input { 20i64 300i64 } output { true }
entry of_pairs (n: i64) (m: i64) =
  let op (a: f32, i: i64) (b, j) = if a < b then (b, j) else (a, i)
  let f [k] (xs: [k]f32) =
    let ys = map (\x -> x * 1.5 - 3) xs
    let (maxima, places) = unzip (scan op (-f32.inf, -1) (zip ys (indices ys)))
    in (maxima, places, ys)
  let xss = floats n m
  let (maxima, places, yss) = unzip3 (map f xss)
  in loop all_equal = true for i < n do
       let (ms, ps, ys) = f xss[i]
       in all_equal && ms == maxima[i] && ps == places[i] && ys == yss[i]

-- ==
-- entry: of_matrices
-- input { 3i64 4i64 25i64 } output { true }
entry of_matrices (n: i64) (p: i64) (m: i64) =
  let xsss = tabulate_3d n p m (\i j k -> number (i * 3 + j) k)
  let flat = flatten xsss
  in flatten (map (map (scan (+) 0)) xsss) == map (scan (+) 0) flat
