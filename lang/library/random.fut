-- | Random numbers by counting: what is drawn is a function of a key and an index alone, so that
-- elements can be drawn in any order and by any number of threads, and fuse with what uses them.
--
-- `random` draws `f64`, and whole numbers; `random_f32` draws `f32` from the same keys.  A key is
-- used for one array; `split` makes several keys of one.  The first elements of a longer array are
-- those of a shorter one.

import "sort"

local module counter_based = {
  type key = (u64, u64)

  local def rotate_left (x: u64) (count: u64) : u64 = (x << count) | (x >> (64 - count))

  -- | 128 bits that look random for a key and a counter: Threefry-2x64 with 20 rounds (Salmon,
  -- Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3, 2011).
  def threefry (key: key) (counter: (u64, u64)) : (u64, u64) =
    let (k0, k1) = key
    let k2 = k0 ^ k1 ^ 0x1bd11bdaa9fc1a22
    let mix (r: u64) (x: u64, y: u64) =
      let sum = x + y
      in (sum, rotate_left y r ^ sum)
    let four_rounds (r0: u64) (r1: u64) (r2: u64) (r3: u64) (x: (u64, u64)) =
      mix r3 (mix r2 (mix r1 (mix r0 x)))
    let add (a: u64) (b: u64) (x: u64, y: u64) = (x + a, y + b)
    in add k0 k1 counter
       |> four_rounds 16 42 12 31
       |> add k1 (k2 + 1)
       |> four_rounds 16 32 24 21
       |> add k2 (k0 + 2)
       |> four_rounds 16 42 12 31
       |> add k0 (k1 + 3)
       |> four_rounds 16 32 24 21
       |> add k1 (k2 + 4)
       |> four_rounds 16 42 12 31
       |> add k2 (k0 + 5)

  -- Second words of counters that are not those of draws, which count from 0.
  def of_keys : u64 = 0xffffffffffffffff
  def of_boosts : u64 = 0x8000000000000000
}

-- | Draws of one type of floats.
local module make_draws (F: float) = {
  local type t = F.t

  -- | From 0 to 1, without 1: as many bits as the type has.
  local def from_zero (bits: u64) : t =
    let unused = if F.num_bits == 64 then 11 else 40
    in F.u64 (bits >> unused) F.* (F.epsilon F./ F.i32 2)

  -- | From 0 to 1, without 0: dense near 0, for logarithms.
  local def to_one (bits: u64) : t = (F.u64 bits F.+ F.i32 1) F.* F.f64 5.421010862427522e-20

  -- | A point of the plane in polar coordinates has a normal one in Cartesian ones (Box and Muller,
  -- A note on the generation of random normal deviates, 1958).
  local def normal_of (x: u64, y: u64) : t =
    F.sqrt (F.i32 (-2) F.* F.log (to_one x)) F.* F.cospi (F.i32 2 F.* from_zero y)

  local def words (key: counter_based.key) (i: i64) : (u64, u64) =
    counter_based.threefry key (u64.i64 i, 0)

  -- | Element `i` of `uniform`: `random.uniform_at (random.seed 7) 1` is
  -- `(random.uniform 2 (random.seed 7))[1]`.
  def uniform_at (key: counter_based.key) (i: i64) : t = from_zero (words key i).0

  -- | Uniform between 0 and 1, without 1; a multiple of 2**-53 (`f32`: 2**-24).
  -- `random.uniform 2 (random.seed 1)` is `[0.6864342655512504, 0.46473338577294176]`.
  def uniform (n: i64) (key: counter_based.key) : *[n]t = tabulate n (uniform_at key)

  -- | Element `i` of `normal`: `random.normal_at (random.seed 7) 1` is
  -- `(random.normal 2 (random.seed 7))[1]`.
  def normal_at (key: counter_based.key) (i: i64) : t = normal_of (words key i)

  -- | Normal with mean 0 and variance 1; none is further than 9.42 from 0.
  -- `map f64.floor (random.normal 4 (random.seed 1))` is `[-1, 0, 0, 0]`.
  def normal (n: i64) (key: counter_based.key) : *[n]t = tabulate n (normal_at key)

  -- | Element `i` of `exponential`:
  -- `random.exponential_at (random.seed 7) 1` is
  -- `(random.exponential 2 (random.seed 7))[1]`.
  def exponential_at (key: counter_based.key) (i: i64) : t = F.neg (F.log (to_one (words key i).0))

  -- | Exponential with mean 1, by inversion; none is greater than 44.4.
  -- `map f64.ceil (random.exponential 4 (random.seed 1))` is `[1, 1, 1, 1]`.
  def exponential (n: i64) (key: counter_based.key) : *[n]t = tabulate n (exponential_at key)

  -- | Element `i` of `gamma`: `random.gamma_at 2 (random.seed 7) 1` is
  -- `(random.gamma 2 2 (random.seed 7))[1]`.
  def gamma_at (shape: t) (key: counter_based.key) (i: i64) : t =
    let shape = assert (shape F.> F.i32 0 && shape F.< F.inf) shape
    let is_boosted = shape F.< F.i32 1
    let d = (if is_boosted then shape F.+ F.i32 1 else shape) F.- F.from_fraction 1 3
    let c = F.recip (F.sqrt (F.i32 9 F.* d))
    let (_, drawn) =
      loop (attempt, drawn) = (0u64, F.i32 (-1)) while drawn F.< F.i32 0 do
        let draw (which: u64) = counter_based.threefry key (u64.i64 i, 2 * attempt + which)
        let x = normal_of (draw 0)
        let root = F.i32 1 F.+ c F.* x
        let v = root F.* root F.* root
        let bound = F.f64 0.5 F.* x F.* x F.+ d F.* (F.i32 1 F.- v F.+ F.log v)
        let is_taken = v F.> F.i32 0 && F.log (to_one (draw 1).0) F.< bound
        in (attempt + 1, if is_taken then d F.* v else F.i32 (-1))
    in if !is_boosted then drawn
       else drawn F.* (to_one (counter_based.threefry key (u64.i64 i, counter_based.of_boosts)).0
                       F.** F.recip shape)

  -- | Gamma with this shape, greater than 0, and scale 1: mean and variance are `shape`.
  -- `map f64.ceil (random.gamma 2 4 (random.seed 1))` is `[2, 3, 2, 3]`.
  --
  -- By rejection (Marsaglia and Tsang, A simple method for generating gamma variables, 2000).
  def gamma (shape: t) (n: i64) (key: counter_based.key) : *[n]t = tabulate n (gamma_at shape key)
}

-- | `f64` and whole numbers.
module random = {
  -- | What all numbers are a function of: 128 bits.
  type key = counter_based.key

  -- | The key of a number of one's choice: `random.seed 1` is `(1, 0)`.
  def seed (number: i64) : key = (u64.i64 number, 0)

  -- | 128 bits that look random for a key and a counter: Threefry-2x64 with 20 rounds (Salmon,
  -- Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3, 2011).
  -- `random.threefry (0, 0) (0, 0)` is `(0xc2b6e3a8c2c69865, 0x6f81ed42f350084d)`.
  def threefry (key: key) (counter: (u64, u64)) : (u64, u64) = counter_based.threefry key counter

  -- | Key number `i` of those that a key leads to; the key itself can still be used for draws.
  -- `random.derive (random.seed 7) 1` is
  -- `(random.split 2 (random.seed 7))[1]`.
  def derive (key: key) (i: i64) : key = threefry (key) (u64.i64 i, counter_based.of_keys)

  -- | Keys for `n` arrays that have nothing to do with each other:
  -- `length (random.split 3 (random.seed 1))` is `3`.
  def split (n: i64) (key: key) : *[n]key = tabulate n (derive key)

  open make_draws f64

  -- | Random bits: `random.bits 1 (0, 0)` is `[0xc2b6e3a8c2c69865]`.
  def bits (n: i64) (key: key) : *[n]u64 = tabulate n (\i -> (threefry key (u64.i64 i, 0)).0)

  -- | Element `i` of `integers`:
  -- `random.integer_at 0 6 (random.seed 7) 1` is
  -- `(random.integers 0 6 2 (random.seed 7))[1]`.
  def integer_at (low: i64) (high: i64) (key: key) (i: i64) : i64 =
    let count = u64.i64 (assert (low < high) (high - low))
    -- The upper half of `x * count`, by halves of 32 bits.
    let (x, _) = threefry key (u64.i64 i, 0)
    let (x1, x0) = (x >> 32, x & 0xffffffff)
    let (c1, c0) = (count >> 32, count & 0xffffffff)
    let middle = x1 * c0 + ((x0 * c0) >> 32)
    let carry = (x0 * c1 + (middle & 0xffffffff)) >> 32
    in low + i64.u64 (x1 * c1 + (middle >> 32) + carry)

  -- | Whole numbers from `low` to below `high`; that one has a higher chance than another by at
  -- most `(high - low) / 2**64` of it.  `random.integers 1 7 4 (random.seed 1)` is `[5, 3, 6, 6]`.
  --
  -- By multiplication (Lemire, Fast random integer generation in an interval, 2019).
  def integers (low: i64) (high: i64) (n: i64) (key: key) : *[n]i64 =
    tabulate n (integer_at low high key)

  -- | Natural logarithm of `k!`, by Stirling's series at `k + 9`, whose remainder is below 1e-13.
  local def log_factorial (k: f64) : f64 =
    let x = k + 1
    let y = x + 8
    let product = x * (x + 1) * (x + 2) * (x + 3) * (x + 4) * (x + 5) * (x + 6) * (x + 7)
    let r = 1 / (y * y)
    let series = (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r / 1188)))) / y
    in (y - 0.5) * f64.log y - y + 0.9189385332046728 + series - f64.log product

  -- | Small means: the number whose cumulated chance a uniform number reaches.
  local def poisson_by_inversion (mean: f64) (key: key) (i: i64) : i64 =
    let (k, _, _) =
      loop (k, chance, rest) = (0i64, f64.exp (-mean), uniform_at key i)
      while rest >= chance && k < 100 do
        (k + 1, chance * mean / f64.i64 (k + 1), rest - chance)
    in k

  -- | Great means: rejection from a transformed uniform number (Hörmann, The transformed rejection
  -- method for generating Poisson random variables, 1993, algorithm PTRS).
  local def poisson_by_rejection (mean: f64) (key: key) (i: i64) : i64 =
    let b = 0.931 + 2.53 * f64.sqrt mean
    let a = -0.059 + 0.02483 * b
    let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    let quick = 0.9277 - 3.6224 / (b - 2)
    let (_, drawn) =
      loop (attempt, drawn) = (0u64, -1f64) while drawn < 0 do
        let (x, y) = threefry key (u64.i64 i, attempt)
        let u = f64.u64 (x >> 11) * 1.1102230246251565e-16 - 0.5
        let v = f64.u64 ((y >> 11) + 1) * 1.1102230246251565e-16
        let us = 0.5 - f64.abs u
        let k = f64.floor ((2 * a / us + b) * u + mean + 0.43)
        let is_possible = k >= 0 && !(us < 0.013 && v > us)
        let is_taken =
          (us >= 0.07 && v <= quick)
          || (is_possible
              && f64.log (v * inverse_alpha / (a / (us * us) + b))
                 <= k * f64.log mean - mean - log_factorial k)
        in (attempt + 1, if is_taken then k else -1)
    in i64.f64 drawn

  -- | Element `i` of `poisson`: `random.poisson_at 3 (random.seed 7) 1` is
  -- `(random.poisson 3 2 (random.seed 7))[1]`.
  def poisson_at (mean: f64) (key: key) (i: i64) : i64 =
    let mean = assert (mean >= 0 && mean <= 1e15) mean
    in if mean < 10 then poisson_by_inversion mean key i else poisson_by_rejection mean key i

  -- | Poisson with this mean, from 0 to 1e15:
  -- `random.poisson 3 4 (random.seed 1)` is `[4, 3, 5, 6]`.
  def poisson (mean: f64) (n: i64) (key: key) : *[n]i64 = tabulate n (poisson_at mean key)

  -- | `n` elements of an array, each time one of all:
  -- `random.choice 4 [10, 20, 30] (random.seed 1)` is `[30, 20, 30, 30]`.
  def choice [m] 'a (n: i64) (xs: [m]a) (key: key) : *[n]a =
    tabulate n (\i -> xs[integer_at 0 m key i])

  -- | `n` elements of an array, each time one of all with a chance in proportion to its weight.
  -- `random.weighted_choice 4 [1, 0, 2] [10, 20, 30] (random.seed 1)` is `[30, 30, 30, 30]`.
  def weighted_choice [m] 'a (n: i64) (weights: [m]f64) (xs: [m]a) (key: key) : *[n]a =
    let ends = scan (+) 0 (map (\w -> assert (w >= 0) w) weights)
    let total = ends[m - 1]
    in tabulate n (\i ->
         let x = uniform_at key i * total
         in xs[sort.upper_bound (<=) ends x])

  -- | Each of the first `k` elements changes places with itself or one of those after it
  -- (Durstenfeld, Algorithm 235: random permutation, 1964).
  local def exchanged [n] 'a (k: i64) (xs: *[n]a) (key: key) : *[n]a =
    let others = tabulate k (\i -> integer_at i n key i)
    in loop xs for i < k do
         let x = copy xs[i]
         let y = copy xs[others[i]]
         in xs with [i] = y with [others[i]] = x

  -- | The elements in random order:
  -- `random.shuffle [1, 2, 3, 4] (random.seed 1)` is `[3, 1, 4, 2]`.
  --
  -- An order's chance differs from another's by at most `n * n / 2**64` of it.
  def shuffle [n] 'a (xs: [n]a) (key: key) : *[n]a = exchanged n (copy xs) key

  -- | `k` elements of an array, none of them twice:
  -- `random.sample 2 [1, 2, 3, 4] (random.seed 1)` is `[3, 1]`.
  def sample [n] 'a (k: i64) (xs: [n]a) (key: key) : *[k]a =
    copy (take k (exchanged (assert (k <= n) k) (copy xs) key))
}

-- | `f32`, by the same keys: `random_f32.uniform 1 (0, 0)` is `[0.76060313]`.
module random_f32 = make_draws f32
