-- `import "sinter/random"`: the published vectors, and the distributions that are claimed.

import "sinter/random"
import "sinter/sort"

-- The generator's known answers (Random123, threefry2x64 with 20 rounds).
-- ==
-- entry: known_answers
-- input { }
-- output {
--   [0xc2b6e3a8c2c69865u64, 0x6f81ed42f350084du64,
--    0xe02cb7c4d95d277au64, 0xd06633d0893b8b68u64,
--    0x263c7d30bb0f0af1u64, 0x56be8361d3311526u64]
-- }
entry known_answers : []u64 =
  let ones = 0xffffffffffffffff
  let (a, b) = random.threefry (0, 0) (0, 0)
  let (c, d) = random.threefry (ones, ones) (ones, ones)
  let (e, f) = random.threefry (0xa4093822299f31d0, 0x082efa98ec4e6c89)
                               (0x243f6a8885a308d3, 0x13198a2e03707344)
  in [a, b, c, d, e, f]

-- The greatest distance between the numbers' own distribution function and another, times the root
-- of their count: above 1.95 with a chance of 0.1 % (Kolmogorov and Smirnov).
def distance [n] (cdf: f64 -> f64) (xs: [n]f64) : f64 =
  let sorted = sort_f64.sort xs
  let gap (i: i64) =
    let chance = cdf sorted[i]
    in f64.max (f64.i64 (i + 1) / f64.i64 n - chance) (chance - f64.i64 i / f64.i64 n)
  in f64.maximum (tabulate n gap) * f64.sqrt (f64.i64 n)

def key : random.key = random.seed 2026
def normal_cdf (x: f64) : f64 = 0.5 * f64.erfc (-x / f64.sqrt 2)

-- ==
-- entry: distributions
-- input { 4000i64 }
-- output { [true, true, true, true, true, true, true] }
entry distributions (n: i64) : []bool =
  map (< 1.95)
      [ distance id (random.uniform n key)
      , distance normal_cdf (random.normal n key)
      , distance (\x -> 1 - f64.exp (-x)) (random.exponential n key)
      , distance (\x -> 1 - (1 + x) * f64.exp (-x)) (random.gamma 2 n key)
      , distance (\x -> f64.erf (f64.sqrt x)) (random.gamma 0.5 n key)
      , distance normal_cdf (map f64.f32 (random_f32.normal n key))
      , distance id (map f64.f32 (random_f32.uniform n key))
      ]

-- Chi squared with `length chances - 1` degrees of freedom, of which the last takes all the rest.
def chi_squared [n] [m] (chances: [m]f64) (xs: [n]i64) : f64 =
  let rest = 1 - f64.sum chances[:m - 1]
  let expected = map2 (\c i -> f64.i64 n * (if i + 1 < m then c else rest)) chances (iota m)
  let counts = hist (+) 0i64 m (map (\x -> i64.max 0 (i64.min (m - 1) x)) xs) (replicate n 1)
  in f64.sum (map2 (\c e -> (f64.i64 c - e) ** 2 / e) counts expected)

def poisson_chances (m: i64) (mean: f64) : [m]f64 =
  tabulate m (\k -> f64.exp (f64.i64 k * f64.log mean - mean - f64.lgamma (f64.i64 k + 1)))

-- The bounds are exceeded with a chance of 0.1 %: with 11, 24, 6 and 2 degrees of freedom.
-- ==
-- entry: counts
-- input { 4000i64 }
-- output { [true, true, true, true, true, true] }
entry counts (n: i64) : []bool =
  let below_10 = f64.sum (poisson_chances 10 20)
  let poisson_from_10 = [below_10] ++ (poisson_chances 34 20)[10:]
  let weighted = random.weighted_choice n [1, 0, 3, 6] [0, 9, 1, 2] key
  in [ chi_squared (poisson_chances 12 3.5) (random.poisson 3.5 n key) < 31.3
     , chi_squared poisson_from_10 (map (\x -> x - 9) (random.poisson 20 n key)) < 51.2
     , chi_squared (replicate 7 (1 / 7)) (map (+ 3) (random.integers (-3) 4 n key)) < 22.5
     , chi_squared [0.1, 0.3, 0.6] weighted < 13.9
     , all (\x -> x >= -3 && x < 4) (random.integers (-3) 4 n key) && all (< 3) weighted
     , all (== 0) (random.poisson 0 100 key)
     ]

-- Streams that were split off have nothing in common with each other or with their key's.
-- ==
-- entry: independence
-- input { 4000i64 }
-- output { [true, true, true] }
entry independence (n: i64) : []bool =
  let keys = random.split 2 key
  let correlation (xs: [n]f64) (ys: [n]f64) =
    12 * f64.sum (map2 (\x y -> (x - 0.5) * (y - 0.5)) xs ys)
  let is_small (xs: [n]f64) (ys: [n]f64) = f64.abs (correlation xs ys) < 3.3 * f64.sqrt (f64.i64 n)
  let (a, b, c) = (random.uniform n keys[0], random.uniform n keys[1], random.uniform n key)
  in [is_small a b, is_small a c, is_small a (rotate 1 a)]

-- What is drawn is a function of the key and the index.
-- ==
-- entry: prefixes
-- input { 100i64 }
-- output { true }
entry prefixes (n: i64) : bool =
  let same 'a (eq: a -> a -> bool) (draw: (m: i64) -> [m]a) =
    and (map2 eq (draw n) (take n (draw (2 * n))))
  in same (==) (\m -> random.uniform m key)
     && same (==) (\m -> random.normal m key)
     && same (==) (\m -> random.exponential m key)
     && same (==) (\m -> random.gamma 0.7 m key)
     && same (==) (\m -> random.poisson 30 m key)
     && same (==) (\m -> random.bits m key)
     && same (\(a, b) (c, d) -> a == c && b == d) (\m -> random.split m key)

-- A shuffled array has the same elements, and each of six orders is as likely.
-- ==
-- entry: shuffles
-- input { 1200i64 }
-- output { [true, true, true] }
entry shuffles (n: i64) : []bool =
  let order (xs: [3]i64) =
    if xs[0] == 0 then xs[1] - 1 else if xs[0] == 1 then 2 + xs[1] / 2 else 4 + xs[1]
  let orders = map (\k -> order (random.shuffle [0, 1, 2] k)) (random.split n key)
  in [ and (map2 (==) (sort_i64.sort (random.shuffle (iota n) key)) (iota n))
     , chi_squared (replicate 6 (1 / 6)) orders < 20.6
     , length (sort_i64.unique (random.sample 50 (iota n) key)) == 50
     ]

-- From each quarter of many elements, as many come to each quarter.
-- ==
-- entry: shuffles_many
-- long input { 70000i64 }
-- output { [true, true] }
entry shuffles_many (n: i64) : []bool =
  let shuffled = random.shuffle (iota n) key
  let quarter (i: i64) = 4 * i / n
  let moves = map2 (\from to -> 4 * quarter from + quarter to) shuffled (iota n)
  in [ and (map2 (==) (sort_i64.sort shuffled) (iota n))
     , chi_squared (replicate 16 (1 / 16)) moves < 27.9
     ]

-- No shape or mean that has no distribution.
-- ==
-- entry: bad_shape
-- input { 0f64 }
-- error: Assertion
-- input { f64.nan }
-- error: Assertion
-- input { f64.inf }
-- error: Assertion
entry bad_shape (shape: f64) : []f64 = random.gamma shape 3 key

-- ==
-- entry: bad_mean
-- input { -1f64 }
-- error: Assertion
-- input { 1e16 }
-- error: Assertion
entry bad_mean (mean: f64) : []i64 = random.poisson mean 3 key

-- The same bits in every way of evaluating.
-- ==
-- entry: bits
-- input { 1000i64 }
-- output {
--   [4631460220179011305u64, 15763160692158616112u64, 17312128298561791085u64,
--    16264602474375245954u64, 14590308614985592213u64, 881579627057774592u64,
--    11888271563235000320u64, 15767236088487215104u64, 1117337111075225600u64]
-- }
entry bits (n: i64) : []u64 =
  let of_f64 (xs: []f64) =
    reduce (^) 0 (map2 (\x i -> f64.to_bits x * (2 * u64.i64 i + 1)) xs (indices xs))
  let of_i64 (xs: []i64) = of_f64 (map f64.i64 xs)
  let of_f32 (xs: []f32) = of_f64 (map f64.f32 xs)
  in [ of_f64 (random.uniform n key), of_f64 (random.normal n key)
     , of_f64 (random.exponential n key), of_f64 (random.gamma 0.3 n key)
     , of_f64 (random.gamma 30 n key), of_i64 (random.poisson 5 n key)
     , of_i64 (random.poisson 500 n key), of_f32 (random_f32.normal n key)
     , of_f32 (random_f32.gamma 4 n key) ]
