-- Loops whose rounds compute much of their number alone, and little of what they carry: the same
-- numbers as if all of it were done in its place.  What is expected goes through an array that is
-- filled before, or does all of it in another order where that is the same.

def heavy (i: i64) : f64 = f64.sin (f64.i64 (i % 1000)) * f64.exp (-0.5 * f64.i64 (i % 7))

-- | As it is, but made before it is read.
def filled [n] (xs: [n]f64) : [n]f64 =
  let last (p: bool, x: f64) (q: bool, y: f64) = if q then (q, y) else (p, x)
  in map (.1) (scan last (false, 0) (map (\x -> (true, x)) xs))

-- ==
-- entry: floats along_arrays in_32_bits two_numbers bins_of_rows nested with_checks
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 100i64 } output { true }
-- input { 3000i64 } output { true }
-- long input { 150000i64 } output { true }
entry floats (n: i64) : bool =
  let a = loop s = 0f64 for i < n do 0.75 * s + heavy i
  let hs = filled (map heavy (iota n))
  let b = loop s = 0 for h in hs do 0.75 * s + h
  in a == b

entry along_arrays (n: i64) : bool =
  let xs = map (\i -> f64.i64 (i * 7919 % 1000) / 100) (iota n)
  let a = loop s = 0 for x in xs do s + f64.log (1 + x * x)
  let hs = filled (map (\x -> f64.log (1 + x * x)) xs)
  let b = loop s = 0 for i < n do s + hs[i]
  in a == b

entry in_32_bits (n: i64) : bool =
  let a = loop s = 0f64 for i < i32.i64 n do s / 2 + heavy (i64.i32 i)
  let b = loop s = 0f64 for i < n do s / 2 + heavy i
  in a == b

-- | Both of which cross, one of them after a choice by the state.
entry two_numbers (n: i64) : bool =
  let round (s: f64, t: f64) (x: f64) (y: f64) = if s > t then (s - x, t + y) else (s + y, t / 3 - x)
  let a = loop st = (0, 1) for i < n do round st (f64.sqrt (heavy i ** 2)) (f64.tan (heavy (i + 1)))
  let xs = filled (tabulate n (\i -> f64.sqrt (heavy i ** 2)))
  let ys = filled (tabulate n (\i -> f64.tan (heavy (i + 1))))
  let b = loop st = (0, 1) for i < n do round st xs[i] ys[i]
  in a.0 == b.0 && a.1 == b.1

-- | Of each row the nearest of the first ones, in place; as C would write it.
entry bins_of_rows (n: i64) : bool =
  let d = 5i32
  let points = tabulate_2d n 5 (\i j -> f32.i64 ((i * 37 + j * 101) % 64))
  let centres = i32.min 8 (i32.i64 n)
  let (sums, counts) =
    loop (sums, counts) = (replicate 8 (replicate 5 0f32), replicate 8 0i32) for i < i32.i64 n do
      let (best, _) =
        loop (best, least) = (0i32, f32.inf) for c < centres do
          let dist =
            loop dist = 0 for j < d do
              let diff = points[i, j] - points[c, j]
              in dist + diff * diff
          in if dist < least then (c, dist) else (best, least)
      let sums = loop sums for j < d do sums with [best, j] = sums[best, j] + points[i, j]
      in (sums, counts with [best] = counts[best] + 1)
  let nearest (p: [5]f32) : i64 =
    let dist (c: i64) = reduce (+) 0 (map2 (\x y -> (x - y) * (x - y)) p points[c])
    let ds = map dist (iota (i64.i32 centres))
    in i64.min 7 (reduce i64.min 8 (map2 (\d c -> if d == f32.minimum ds then c else 8) ds (indices ds)))
  let bests = map nearest points
  let (expected, of_each) =
    unzip (tabulate 8 (\c ->
      ( map (\j -> f32.sum (map2 (\b (p: [5]f32) -> if b == c then p[j] else 0) bests points)) (iota 5)
      , i32.sum (map (\b -> i32.bool (b == c)) bests))))
  -- (Whole numbers, so that the order of sums does not show.)
  in and (map2 (==) counts of_each) && and (map2 (\a b -> and (map2 (==) a b)) sums expected)

-- | In another loop: as many rounds in each, or more in each one.
entry nested (n: i64) : bool =
  let m = n / 50
  let a = loop s = 0f64 for i < 30i64 do loop s for j < m do s / 4 + heavy (i * j)
  let t = loop s = 0f64 for i < 30i64 do loop s for j < i do s / 4 + heavy (i * j)
  let hs = filled (flatten (tabulate_2d 30 m (\i j -> heavy (i * j))))
  let b = loop s = 0 for h in hs do s / 4 + h
  let gs = filled (tabulate 900 (\q -> heavy ((q / 30) * (q % 30))))
  let u = loop s = 0 for q < 900i64 do if q % 30 < q / 30 then s / 4 + gs[q] else s
  in a == b && t == u

entry with_checks (n: i64) : bool =
  let places = map (\i -> i * 31 % i64.max 1 n) (iota n)
  let xs = scan (+) 0 (map f64.i64 (iota n))
  let a = loop s = 0 for i < n do s / 2 + f64.sin xs[places[i]]
  let hs = filled (map (\p -> f64.sin xs[p]) places)
  let b = loop s = 0 for h in hs do s / 2 + h
  in a == b

-- The error that comes first is the program's: of the state, before one of a later round.
-- ==
-- entry: first_error
-- input { 100i64 200i64 1000f64 } error: s < most
-- input { 100i64 50i64 1000000f64 } error: i < m
-- input { 100i64 200i64 1000000f64 } output { true }
entry first_error (n: i64) (m: i64) (most: f64) : bool =
  let r = loop s = 0f64 for i < n do
    let x = assert (i < m) (heavy i) -- place
    in assert (s < most) (s + 20 + x) -- state
  in r > 0
