-- | New values of the elements of an array, each from its old one and from those near it.
--
-- What lies beyond an array's edges is said by a *boundary*, for any distance:
--
-- - `#clamp`: the nearest element, again and again;
-- - `#mirror`: the elements in reverse, the one at the edge not repeated: `-1` is `1`, and `n` is
--   `n - 2`;
-- - `#wrap`: the elements from the other end on;
-- - `#constant x`: `x`.

-- | What lies beyond an array's edges.  `let b : boundary i32 = #constant 7 in b` is `#constant 7`.
type boundary 't = #clamp | #mirror | #wrap | #constant t

-- | A place in `0 .. n - 1` for one anywhere, of a boundary that has such places.
local def clamped (n: i64) (i: i64) : i64 = i64.max 0 (i64.min (n - 1) i)

-- (Conditions on the place alone, as they stand, are settled for whole ranges of places.)
local def mirrored (n: i64) (i: i64) : i64 =
  let far (i: i64) =
    let period = i64.max 1 (2 * (n - 1))
    let within = i % period
    in if within < n then within else period - within
  in if i < 0 then if -n < i then -i else far i
     else if i < n then i
     else if i < 2 * n - 1 then 2 * (n - 1) - i
     else far i

local def wrapped (n: i64) (i: i64) : i64 =
  if i < 0 then if -n <= i then i + n else i % n
  else if i < n then i
  else if i < 2 * n then i - n
  else i % n

-- | The place that is meant, in `0 .. n - 1`.  (Nobody asks that of a constant's.)
local def place 't (outside: boundary t) (n: i64) (i: i64) : i64 =
  match outside
  case #clamp -> clamped n i
  case #mirror -> mirrored n i
  case #wrap -> wrapped n i
  case #constant _ -> i

local def is_inside (n: i64) (i: i64) : bool = 0 <= i && i < n

-- | The element at a place that may lie outside:
-- `at_1d #mirror [5, 6, 7] (-1)` is `6`.
def at_1d [n] 't (outside: boundary t) (xs: [n]t) (i: i64) : t =
  match outside
  case #constant x -> if is_inside n i then xs[i] else x
  case _ -> xs[place outside n i]

-- | The element at a place that may lie outside:
-- `at_2d (#constant 9) [[1, 2], [3, 4]] 0 2` is `9`.
def at_2d [n] [m] 't (outside: boundary t) (xs: [n][m]t) (i: i64) (j: i64) : t =
  match outside
  case #constant x -> if is_inside n i && is_inside m j then xs[i, j] else x
  case _ -> xs[place outside n i, place outside m j]

-- | The element at a place that may lie outside:
-- `at_3d #clamp [[[1, 2], [3, 4]]] (-1) 1 5` is `4`.
def at_3d [n] [m] [k] 't (outside: boundary t) (xs: [n][m][k]t) (h: i64) (i: i64) (j: i64) : t =
  match outside
  case #constant x ->
    if is_inside n h && is_inside m i && is_inside k j then xs[h, i, j] else x
  case _ -> xs[place outside n h, place outside m i, place outside k j]

-- | For each element what a function makes of it and those at a distance:
-- `stencil_1d (#constant 9) (\x -> x (-1) + x 0 + x 1) [1, 2, 3]` is `[12, 6, 14]`.
def stencil_1d [n] 'a 'b (outside: boundary a) (f: (i64 -> a) -> b) (xs: [n]a) : *[n]b =
  tabulate n (\i -> f (\di -> at_1d outside xs (i + di)))

-- | For each element what a function makes of it and those at distances down and to the right:
-- `stencil_2d #wrap (\x -> x (-1) 0 + x 0 1) [[1, 2], [3, 4]]` is `[[5, 5], [5, 5]]`.
def stencil_2d [n] [m] 'a 'b (outside: boundary a) (f: (i64 -> i64 -> a) -> b) (xs: [n][m]a)
               : *[n][m]b =
  tabulate_2d n m (\i j -> f (\di dj -> at_2d outside xs (i + di) (j + dj)))

-- | For each element what a function makes of it and those at distances in three dimensions:
-- `stencil_3d #clamp (\x -> x (-1) 0 0 + x 0 0 1) [[[1, 2]], [[3, 4]]]` is `[[[3, 4]], [[5, 6]]]`.
def stencil_3d [n] [m] [k] 'a 'b (outside: boundary a) (f: (i64 -> i64 -> i64 -> a) -> b)
               (xs: [n][m][k]a) : *[n][m][k]b =
  tabulate_3d n m k (\h i j ->
    f (\dh di dj -> at_3d outside xs (h + dh) (i + di) (j + dj)))

-- | The same of two arrays at once, each with its boundary:
-- `stencil2_1d #clamp (#constant 0) (\x y -> x (-1) + 10 * y 1) [1, 2] [3, 4]` is `[41, 1]`.
def stencil2_1d [n] 'a 'b 'c (outside_a: boundary a) (outside_b: boundary b)
                (f: (i64 -> a) -> (i64 -> b) -> c) (xs: [n]a) (ys: [n]b) : *[n]c =
  tabulate n (\i -> f (\di -> at_1d outside_a xs (i + di)) (\di -> at_1d outside_b ys (i + di)))

-- | The same of two arrays at once, each with its boundary:
-- `stencil2_2d #wrap #clamp (\x y -> x 0 1 + 10 * y 1 0) [[1, 2]] [[3, 4]]` is `[[32, 41]]`.
def stencil2_2d [n] [m] 'a 'b 'c (outside_a: boundary a) (outside_b: boundary b)
                (f: (i64 -> i64 -> a) -> (i64 -> i64 -> b) -> c) (xs: [n][m]a) (ys: [n][m]b)
                : *[n][m]c =
  tabulate_2d n m (\i j ->
    f (\di dj -> at_2d outside_a xs (i + di) (j + dj))
      (\di dj -> at_2d outside_b ys (i + di) (j + dj)))

-- | The same of two arrays at once, each with its boundary:
-- `stencil2_3d #wrap #clamp (\x y -> x 0 0 1 + y 1 0 0) [[[1, 2]]] [[[3, 4]]]` is `[[[5, 5]]]`.
def stencil2_3d [n] [m] [k] 'a 'b 'c (outside_a: boundary a) (outside_b: boundary b)
                (f: (i64 -> i64 -> i64 -> a) -> (i64 -> i64 -> i64 -> b) -> c)
                (xs: [n][m][k]a) (ys: [n][m][k]b) : *[n][m][k]c =
  tabulate_3d n m k (\h i j ->
    f (\dh di dj -> at_3d outside_a xs (h + dh) (i + di) (j + dj))
      (\dh di dj -> at_3d outside_b ys (h + dh) (i + di) (j + dj)))

-- | Weighted sums of neighbours for a type of numbers.
local module make_convolution (T: numeric) = {
  local type t = T.t

  local def zero : t = T.i64 0

  -- | For each element the sum of it and its neighbours, each times its weight, added up in the
  -- order of the weights; the weight in the middle (at half of their number) is the element's own:
  -- `convolution.convolve_1d #clamp [1, 10, 100] [1, 2, 3]` is `[211, 321, 332]`.
  def convolve_1d [n] [k] (outside: boundary t) (weights: [k]t) (xs: [n]t) : *[n]t =
    -- With what lies outside beside them, neighbours need no tests.
    let wide = tabulate (n + k) (\i -> at_1d outside xs (i - k / 2))
    in tabulate n (\i -> loop sum = zero for p < k do sum T.+ weights[p] T.* wide[i + p])

  -- | The same in two dimensions, row by row of the weights:
  -- `convolution.convolve_2d (#constant 0) [[1, 10], [100, 1000]] [[1, 2], [3, 4]]` is
  -- `[[1000, 2100], [3010, 4321]]`.
  def convolve_2d [n] [m] [k] [l] (outside: boundary t) (weights: [k][l]t) (xs: [n][m]t)
                  : *[n][m]t =
    let wide = tabulate_2d (n + k) (m + l) (\i j -> at_2d outside xs (i - k / 2) (j - l / 2))
    in tabulate_2d n m (\i j ->
         loop sum = zero for p < k do
           loop sum for q < l do sum T.+ weights[p, q] T.* wide[i + p, j + q])
}

module convolution = make_convolution f64
module convolution_f32 = make_convolution f32
module convolution_i32 = make_convolution i32
