-- Tuples of arrays and arrays of tuples, with arrays and records among the components.
-- ==
-- entry: pairs
-- input { [1, 2, 3] [true, false, true] }
-- output { [1, 2, 3] [true, false, true] 2 [1, 2, 3] }

-- ==
-- entry: up_to_five
-- input { [1, 2] [3i8, 4i8] }
-- output { [1, 2] [3i8, 4i8] [1, 2] [3i8, 4i8] [1, 2] [3i8, 4i8] [1, 2] [3i8, 4i8] [2, 1] }

-- ==
-- entry: of_arrays
-- input { [[1, 2], [3, 4]] [5, 6] }
-- output { [[1, 2], [3, 4]] [5, 6] [3, 7] }

-- ==
-- entry: of_nothing
-- input { empty([0][3]i32) }
-- output { empty([0][3]i32) empty([0]bool) }

entry pairs [n] (xs: [n]i32) (ys: [n]bool) =
  let both = zip xs ys
  let (as, bs) = unzip both
  let (cs, _) = unzip2 (zip2 xs ys)
  in (as, bs, both[1].0, cs)

entry up_to_five [n] (xs: [n]i32) (ys: [n]i8) =
  let (a, b, c) = unzip3 (zip3 xs ys xs)
  let (d, e, f, g) = unzip4 (zip4 ys xs ys xs)
  let (h, i, _, _, _) = unzip5 (zip5 ys (reverse xs) xs xs ys)
  in (a, b, c, d, e, f, g, h, i)

entry of_arrays [n] [m] (xss: [n][m]i32) (ys: [n]i32) =
  let both = zip xss ys
  let (as, bs) = unzip both
  in (as, bs, map (\(xs, _) -> i32.sum xs) both)

entry of_nothing [n] [m] (xss: [n][m]i32) =
  unzip (zip xss (replicate n true))
