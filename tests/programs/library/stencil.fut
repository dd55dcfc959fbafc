-- `import "sinter/stencil"`: places far outside too, by the definitions of the boundaries.

import "sinter/stencil"

-- What lies at a place: the array itself, put down again and again, forwards or also backwards.
def repeated [n] (xs: [n]i32) (i: i64) : i32 = xs[(i % n + n) % n]
def there_and_back [n] (xs: [n]i32) (i: i64) : i32 =
  let period = xs ++ reverse (take (i64.max 0 (n - 2)) (drop (i64.min n 1) xs))
  in period[((i % length period) + length period) % length period]

def values (n: i64) : [n]i32 = map (\i -> i32.i64 ((i * i + 3 * i + 1) % 101)) (iota n)

-- All places from 3 times the length before to 3 times the length behind the array.
def places_are_right (n: i64) : bool =
  let xs = values n
  let is_right (i: i64) =
    at_1d #wrap xs i == repeated xs i
    && at_1d #mirror xs i == there_and_back xs i
    && at_1d #clamp xs i == xs[if i < 0 then 0 else if i < n then i else n - 1]
    && at_1d (#constant 7) xs i == (if i < 0 || i >= n then 7 else xs[i])
  in all is_right (map (\i -> i - 3 * n) (iota (7 * n)))

-- Every place within an array's edges and beyond them.
-- ==
-- entry: lengths
-- input { } output { [true, true, true, true, true, true, true] }
entry lengths = map places_are_right [1, 2, 3, 4, 5, 17, 64]

-- The boundary is known when the program runs only.
def boundary_of (kind: i32) : boundary i32 =
  if kind == 0 then #clamp else if kind == 1 then #mirror else if kind == 2 then #wrap
  else #constant kind

-- Sums of three neighbours.
-- ==
-- entry: three
-- input { 0 [1, 2, 3, 4] } output { [4, 6, 9, 11] }
-- input { 1 [1, 2, 3, 4] } output { [5, 6, 9, 10] }
-- input { 2 [1, 2, 3, 4] } output { [7, 6, 9, 8] }
-- input { 9 [1, 2, 3, 4] } output { [12, 6, 9, 16] }
-- input { 1 [5] } output { [15] }
-- input { 0 empty([0]i32) } output { empty([0]i32) }
entry three [n] (kind: i32) (xs: [n]i32) : [n]i32 =
  stencil_1d (boundary_of kind) (\x -> x (-1) + x 0 + x 1) xs

-- All boundaries over sizes that vectors do not divide, against definitions by place.
def weighted_2d [n] [m] (outside: boundary i32) (xs: [n][m]i32) : [n][m]i32 =
  stencil_2d outside (\x -> x 0 0 + 2 * x (-1) 0 + 3 * x 1 0 + 5 * x 0 (-2) + 7 * x 0 2 + 11 * x 1 1)
             xs

def define_2d [n] [m] (at: i64 -> i64 -> i32) : [n][m]i32 =
  tabulate_2d n m (\i j ->
    at i j + 2 * at (i - 1) j + 3 * at (i + 1) j + 5 * at i (j - 2) + 7 * at i (j + 2)
    + 11 * at (i + 1) (j + 1))

-- ==
-- entry: two_dimensions
-- input { 1i64 1i64 } output { [true, true, true, true] }
-- input { 2i64 3i64 } output { [true, true, true, true] }
-- input { 5i64 37i64 } output { [true, true, true, true] }
-- input { 40i64 5i64 } output { [true, true, true, true] }
entry two_dimensions (n: i64) (m: i64) : []bool =
  let xs = unflatten (values (n * m))
  let equal (a: [n][m]i32) (b: [n][m]i32) = and (map2 (==) (flatten a) (flatten b))
  let is_inside (i: i64) (j: i64) = 0 <= i && i < n && 0 <= j && j < m
  in [ equal (weighted_2d #clamp xs)
             (define_2d (\i j -> xs[i64.max 0 (i64.min (n - 1) i), i64.max 0 (i64.min (m - 1) j)]))
     , equal (weighted_2d #mirror xs)
             (define_2d (\i j -> there_and_back (map (\row -> there_and_back row j) xs) i))
     , equal (weighted_2d #wrap xs) (define_2d (\i j -> repeated (map (\row -> repeated row j) xs) i))
     , equal (weighted_2d (#constant 13) xs)
             (define_2d (\i j -> if is_inside i j then xs[i, j] else 13)) ]

-- ==
-- entry: three_dimensions
-- input { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]] }
-- output { [[[13, 16, 18], [19, 22, 24]], [[25, 28, 30], [31, 34, 36]]]
--          [[[20, 24, 25], [26, 30, 31]], [[20, 24, 25], [26, 30, 31]]] }
entry three_dimensions [n] [m] [k] (xs: [n][m][k]i32) : ([n][m][k]i32, [n][m][k]i32) =
  ( stencil_3d #clamp (\x -> x 1 0 0 + x 0 0 1 + x 0 1 0) xs
  , stencil2_3d #wrap #mirror (\x y -> x 1 0 0 + x 0 0 1 + y 0 1 0 + y 1 0 0) xs xs )

-- Two arrays, each with its boundary.
-- ==
-- entry: two_arrays
-- input { [1, 2, 3] [10, 20, 30] } output { [23, 11, 2] }
entry two_arrays [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 =
  stencil2_1d #wrap (#constant 0) (\x y -> x (-1) + y 1 + (if x 0 == 2 then -20 else 0)) xs ys

-- Weights of sizes that are known when the program runs only; the middle one is at their half.
-- ==
-- entry: convolved
-- input { [1, 2, 3, 4, 5] [1, 10, 100] } output { [211, 321, 432, 543, 554] }
-- input { [1, 2, 3, 4, 5] [1, 10] } output { [11, 21, 32, 43, 54] }
-- input { [1, 2, 3] empty([0]i32) } output { [0, 0, 0] }
entry convolved [n] [k] (xs: [n]i32) (weights: [k]i32) : [n]i32 =
  convolution_i32.convolve_1d #clamp weights xs
