-- | Sorting, searching and selecting.
--
-- `sort` has what any order needs; `sort_i32`, `sort_f64` and so on are for one type of numbers
-- each, and faster: they look at digits instead of comparing.  All of them are stable: what is
-- equal stays in its order.

-- | The elements in the order of one digit below `range`, which `digit` finds: counting sort (Knuth,
-- The Art of Computer Programming, volume 3, 5.2).  Stable.
local def sort_by_digit [n] 'a (range: i64) (digit: a -> i64) (xs: [n]a) : *[n]a =
  let counts = hist (+) 0i64 range (map digit xs) (replicate n 1)
  let (_, sorted) =
    loop (places, sorted) = (exscan (+) 0 counts, copy xs) for i < n do
      let d = digit xs[i]
      let place = places[d]
      in (places with [d] = place + 1, sorted with [place] = xs[i])
  in sorted

-- | The first index from 0 to `n` where `is_reached` holds, which holds for all that follow.
local def first_index (n: i64) (is_reached: i64 -> bool) : i64 =
  let (_, found) =
    loop (low, high) = (0i64, n) while low < high do
      let middle = (low + high) / 2
      in if is_reached middle then (low, middle) else (middle + 1, high)
  in found

-- | Sorting by an order that is given: `leq x y` tells whether `x` may stand before `y`.
module sort = {
  -- | The elements in ascending order: `sort.by (i32.<=) [3, 1, 2]` is `[1, 2, 3]`.  Stable.
  --
  -- Merge sort from below (Knuth, volume 3, 5.2.4), where each element finds its place among the
  -- other half's by binary search.
  def by 't [n] (leq: t -> t -> bool) (xs: [n]t) : *[n]t =
    let (_, sorted) =
      loop (width, xs) = (1i64, copy xs) while width < n do
        let place (i: i64) =
          let begin = i / (2 * width) * (2 * width)
          let middle = i64.min n (begin + width)
          let end = i64.min n (middle + width)
          -- Of equal ones the left half's come first.
          in if i < middle
             then i + first_index (end - middle) (\j -> leq xs[i] xs[middle + j])
             else i - (middle - begin)
                    + first_index (middle - begin) (\j -> !(leq xs[begin + j] xs[i]))
        in (2 * width, scatter (copy xs) (tabulate n place) xs)
    in sorted

  -- | The elements in the order of their keys, of which `key` finds each one's:
  -- `sort.by_key (\(x, _) -> x) (i32.<=) [(2, 'b'), (1, 'a')]` is `[(1, 'a'), (2, 'b')]`.  Stable.
  def by_key 't 'k [n] (key: t -> k) (leq: k -> k -> bool) (xs: [n]t) : *[n]t =
    by (\x y -> leq (key x) (key y)) xs

  -- | Where the elements in ascending order are now: `sort.indices (i32.<=) [30, 10, 20]` is
  -- `[1, 2, 0]`.  Stable.
  def indices 't [n] (leq: t -> t -> bool) (xs: [n]t) : *[n]i64 =
    by (\i j -> leq xs[i] xs[j]) (iota n)

  -- | The first index in a sorted array of an element that is not before `x`, or the array's size:
  -- `sort.lower_bound (i32.<=) [10, 20, 20, 30] 20` is `1`.
  def lower_bound 't [n] (leq: t -> t -> bool) (xs: [n]t) (x: t) : i64 =
    first_index n (\i -> leq x xs[i])

  -- | The first index in a sorted array of an element that is after `x`, or the array's size:
  -- `sort.upper_bound (i32.<=) [10, 20, 20, 30] 20` is `3`.
  def upper_bound 't [n] (leq: t -> t -> bool) (xs: [n]t) (x: t) : i64 =
    first_index n (\i -> !(leq xs[i] x))

  -- | The different elements in ascending order, of equal ones the first:
  -- `sort.unique (i32.<=) [3, 1, 3]` is `[1, 3]`.
  def unique 't [n] (leq: t -> t -> bool) (xs: [n]t) : *[]t =
    let sorted = by leq xs
    let is_first (i: i64) = i == 0 || !(leq sorted[i] sorted[i - 1])
    in map (\i -> sorted[i]) (filter is_first (iota n))

  -- | The `k` elements that are last in ascending order, the last one first:
  -- `sort.top (i32.<=) 2 [3, 1, 2]` is `[3, 2]`.
  def top 't [n] (leq: t -> t -> bool) (k: i64) (xs: [n]t) : *[k]t =
    let sorted = by leq xs
    in tabulate k (\i -> sorted[n - 1 - i])
}

-- | The same for numbers: `encode` makes unsigned integers of them that have their order.
local module make_radix (B: integral) (K: {type t val encode : t -> B.t val decode : B.t -> t}) = {
  local type t = K.t

  -- | Least and greatest of some numbers.
  local def range [n] (bits: [n]B.t) : (B.t, B.t) =
    reduce_comm (\(a, b) (c, d) -> (B.min a c, B.max b d)) (B.highest, B.lowest) (zip bits bits)

  -- | Bits of a digit: counts of all digits stay in the first-level cache.
  local def width : i32 = 8

  -- | In the order of the bits from `first` to below `used` of what they are more than `low`, by
  -- radix, the least digit first.
  local def by_digits 'a [n] (bits: a -> B.t) (low: B.t) (first: i32) (used: i32) (xs: *[n]a)
                             : *[n]a =
    let (_, sorted) =
      loop (shift, xs: *[n]a) = (first, xs) while shift < used do
        let digit x = B.to_i64 ((bits x B.- low) B.>> B.i32 shift) & ((1 << i64.i32 width) - 1)
        in (shift + width, sort_by_digit (1 << i64.i32 width) digit xs)
    in sorted

  -- | How many bits, of the `used` ones from the greatest, tell most numbers apart, as far as a
  -- sample of them tells: so many that each has a few others at most that are like it.
  local def telling 'a [n] (bits: a -> B.t) (low: B.t) (used: i32) (xs: [n]a) : i32 =
    let m = 4 * i64.f64 (f64.sqrt (f64.i64 n))
    -- (One of each part of the array, so that none is taken twice, by no period.)
    let part = n / m
    let place (i: i64) = i * part + i64.u64 ((u64.i64 i * 0x9e3779b97f4a7c15) >> 1) % part
    let sample = by_digits bits low 0 used (tabulate m (\i -> copy xs[place i]))
    let shared (i: i64) =
      B.clz ((bits sample[i] B.- low) B.^ (bits sample[i + 1] B.- low)) - (B.num_bits - used)
    let pairs =
      hist (+) 0i64 (i64.i32 used + 1) (tabulate (m - 1) (i64.i32 <-< shared)) (replicate (m - 1) 1)
    let (telling, _) =
      loop (bits, alike) = (used, pairs[used]) while bits > 1 && alike <= 16 do
        (bits - 1, alike + pairs[bits - 1])
    in i32.min used telling

  -- | In order, if they are nearly that: different by the bits from `first` on only where they are
  -- in order, those alike neighbours, and few.  Otherwise false, and any order.
  --
  -- By insertion, in blocks that see a part of their neighbours.
  local def settled 'a [n] (bits: a -> B.t) (low: B.t) (first: i32) (xs: [n]a) : (bool, *[n]a) =
    let (size, seen) = (4096, 64)
    let blocks = (n + size - 1) / size
    let top (i: i64) = (bits xs[i] B.- low) B.>> B.i32 first
    let is_apart (b: i64) =
      let i = b * size
      in (i < seen || top (i - seen) B.!= top i) && (i + seen >= n || top (i + seen) B.!= top i)
    let block (b: i64) =
      let begin = i64.max 0 (b * size - seen)
      let count = i64.min n (b * size + size + seen) - begin
      let row = replicate (size + 2 * seen) xs[0]
      let row = loop row for i < count do row with [i] = copy xs[begin + i]
      let (row, moves) =
        loop (row, moves) = (row, 0) for i < count do
          let x = copy row[i]
          let (row, j) =
            loop (row, j) = (row, i)
            while j > 0 && moves + i - j < size && bits x B.< bits row[j - 1] do
              (row with [j] = copy row[j - 1], j - 1)
          in (row with [j] = x, moves + i - j)
      in (tabulate size (\i -> copy row[b * size - begin + i]), moves < size && is_apart b)
    let (rows, are_settled) = unzip (tabulate blocks block)
    in (and are_settled, copy (take n (flatten rows)))

  -- | Each where so many stand before it: for few.
  local def by_counting 'a [n] (bits: a -> B.t) (xs: [n]a) : *[n]a =
    let keys = map bits xs
    let place (i: i64) =
      let stands_before (j: i64) = keys[j] B.< keys[i] || (keys[j] B.== keys[i] && j < i)
      in i64.sum (map (\j -> i64.bool (stands_before j)) (iota n))
    in scatter (copy xs) (tabulate n place) xs

  -- | In order, if those alike in the bits from `first` on are neighbours, and few.  Otherwise false,
  -- and as they were.
  --
  -- Each moves by as many as there are on its wrong side.
  local def moved 'a [n] (bits: a -> B.t) (low: B.t) (first: i32) (xs: [n]a) : (bool, *[n]a) =
    let most = 32
    let top (i: i64) = (bits xs[i] B.- low) B.>> B.i32 first
    let differs (i: i64) (count: i64) = i + count >= n || top (i + count) B.!= top i
    let reach (i: i64) : i64 =
      if differs i 3 then 2 else if differs i 6 then 5 else if differs i 12 then 11
      else if differs i 25 then 24 else most
    let (around, reaches) =
      unzip (tabulate (n + 2 * most) (\i ->
               if i < most then (B.lowest, 0)
               else if i >= n + most then (B.highest, 0)
               else (bits xs[i - most], reach (i - most))))
    let reach = i64.maximum reaches
    let place (i: i64) =
      let x = around[i + most]
      let moves =
        loop moves = 0i32 for k < reach do
          moves + i32.bool (around[i + most + 1 + k] B.< x)
                - i32.bool (around[i + most - 1 - k] B.> x)
      in i + i64.i32 moves
    in if reach < most then (true, scatter (copy xs) (tabulate n place) xs) else (false, copy xs)

  -- | By radix: first by the digits that tell most numbers apart, then among neighbours; by more
  -- digits if there is too much left to do for that.
  local def ordered 'a [n] (bits: a -> B.t) (xs: [n]a) : *[n]a =
    if n <= 128 then by_counting bits xs
    else
    let (low, high) = range (map bits xs)
    let used = B.num_bits - B.clz (high B.- low)
    let telling = if n < 16384 || used <= 2 * width then 2 * width else telling bits low used xs
    let (_, sorted) =
      loop (digits, xs: *[n]a) = ((telling + width - 1) / width, copy xs) while digits > 0 do
        let first = i32.max 0 (used - digits * width)
        let sorted = by_digits bits low first used xs
        in if first == 0 then (0, sorted)
           else
           let (is_settled, settled) =
             if n < 65536 then moved bits low first sorted else settled bits low first sorted
           in if is_settled then (0, settled)
              else (if digits == 2 then 3 else B.num_bits / width, sorted)
    in sorted

  -- | The numbers in ascending order: `sort_i32.sort [3, 1, 2]` is `[1, 2, 3]`.  Of floats, -0
  -- comes before 0, and what is not a number comes last.
  --
  -- Radix sort: the time grows with `n` and the number of bits that it takes to tell the numbers
  -- apart.
  def sort [n] (xs: [n]t) : *[n]t = ordered K.encode xs

  -- | Where the numbers in ascending order are now: `sort_i32.indices [30, 10, 20]` is
  -- `[1, 2, 0]`.  Stable.
  def indices [n] (xs: [n]t) : *[n]i64 =
    map (.1) (ordered (.0) (zip (map K.encode xs) (iota n)))

  -- | The elements in the order of their keys, of which `key` finds each one's:
  -- `sort_i32.by_key (\(x, _) -> x) [(2, 'b'), (1, 'a')]` is `[(1, 'a'), (2, 'b')]`.  Stable.
  def by_key 'a [n] (key: a -> t) (xs: [n]a) : *[n]a =
    map (\i -> xs[i]) (indices (map key xs))

  -- | The first index in a sorted array of a number that is not less than `x`, or the array's size:
  -- `sort_i32.lower_bound [10, 20, 20, 30] 20` is `1`.
  def lower_bound [n] (xs: [n]t) (x: t) : i64 =
    first_index n (\i -> K.encode xs[i] B.>= K.encode x)

  -- | The first index in a sorted array of a number that is greater than `x`, or the array's size:
  -- `sort_i32.upper_bound [10, 20, 20, 30] 20` is `3`.
  def upper_bound [n] (xs: [n]t) (x: t) : i64 =
    first_index n (\i -> K.encode xs[i] B.> K.encode x)

  -- | The different numbers in ascending order, and how often each is there:
  -- `sort_i32.count_unique [3, 1, 3]` is `([1, 3], [1, 2])`.
  def count_unique [n] (xs: [n]t) : ?[k].([k]t, [k]i64) =
    let sorted = ordered id (map K.encode xs)
    let is_first (i: i64) = i == 0 || sorted[i] B.!= sorted[i - 1]
    let firsts = filter is_first (iota n)
    let k = length firsts
    let count (i: i64) = (if i + 1 < k then firsts[i + 1] else n) - firsts[i]
    in (map (\i -> K.decode sorted[i]) (firsts :> [k]i64), tabulate k count)

  -- | The different numbers in ascending order: `sort_i32.unique [3, 1, 3]` is `[1, 3]`.
  def unique [n] (xs: [n]t) : *[]t = let (values, _) = count_unique xs in copy values

  -- | The numbers that stand at these ranks (from 0) in ascending order, found without sorting all:
  -- `sort_i32.ranked [0, 2] [30, 10, 20]` is `[10, 30]`.
  --
  -- The numbers are counted in intervals, and only those in an interval that has a rank are sorted.
  def ranked [n] [k] (ranks: [k]i64) (xs: [n]t) : *[k]t =
    let bits = map K.encode xs
    let (low, high) = range bits
    let count_bits = i32.max 4 (i32.min 12 (62 - i64.clz n))
    let count = 1i64 << i64.i32 count_bits
    let shift = i32.max 0 (B.num_bits - B.clz (high B.- low) - count_bits)
    let interval (x: B.t) = B.to_i64 ((x B.- low) B.>> B.i32 shift)
    let ends = scan (+) 0 (hist (+) 0i64 count (map interval bits) (map (const 1) bits))
    let wanted = map (\r -> assert (r >= 0 && r < n) (first_index count (\i -> ends[i] > r))) ranks
    let is_wanted = spread count false wanted (map (const true) ranks)
    let rest = ordered id (filter (\x -> is_wanted[interval x]) bits)
    -- How many are left out before an interval.
    let size (i: i64) = ends[i] - (if i == 0 then 0 else ends[i - 1])
    let left_out = exscan (+) 0 (tabulate count (\i -> if is_wanted[i] then 0 else size i))
    in map2 (\r i -> K.decode rest[r - left_out[i]]) ranks wanted

  -- | The `k` greatest numbers, the greatest first: `sort_i32.top 2 [3, 1, 2]` is `[3, 2]`.
  def top [n] (k: i64) (xs: [n]t) : *[k]t =
    if k == 0 then copy (take k (reverse xs))
    else
    let least = K.encode (ranked [n - k] xs)[0]
    let greater = ordered id (filter (B.> least) (map K.encode xs))
    let m = length greater
    in tabulate k (\i -> K.decode (if i < m then greater[m - 1 - i] else least))
}

module sort_u8 = make_radix u8 {
  type t = u8
  def encode (x: t) : u8 = x
  def decode (x: u8) : t = x
}

module sort_u16 = make_radix u16 {
  type t = u16
  def encode (x: t) : u16 = x
  def decode (x: u16) : t = x
}

module sort_u32 = make_radix u32 {
  type t = u32
  def encode (x: t) : u32 = x
  def decode (x: u32) : t = x
}

module sort_u64 = make_radix u64 {
  type t = u64
  def encode (x: t) : u64 = x
  def decode (x: u64) : t = x
}

module sort_i8 = make_radix u8 {
  type t = i8
  def encode (x: t) : u8 = u8.i8 (x ^ i8.lowest)
  def decode (x: u8) : t = i8.u8 x ^ i8.lowest
}

module sort_i16 = make_radix u16 {
  type t = i16
  def encode (x: t) : u16 = u16.i16 (x ^ i16.lowest)
  def decode (x: u16) : t = i16.u16 x ^ i16.lowest
}

module sort_i32 = make_radix u32 {
  type t = i32
  def encode (x: t) : u32 = u32.i32 (x ^ i32.lowest)
  def decode (x: u32) : t = i32.u32 x ^ i32.lowest
}

module sort_i64 = make_radix u64 {
  type t = i64
  def encode (x: t) : u64 = u64.i64 (x ^ i64.lowest)
  def decode (x: u64) : t = i64.u64 x ^ i64.lowest
}

-- | Floats have the order of their bits if those of negative ones are inverted.
local module make_float_digits (B: integral) (F: float with int_t = B.t) = {
  type t = F.t
  local def sign : B.t = B.i32 1 B.<< B.i32 (B.num_bits - 1)
  def encode (x: t) : B.t =
    let bits = F.to_bits x
    in if F.isnan x then B.highest else if bits B.>= sign then B.not bits else bits B.| sign
  def decode (x: B.t) : t =
    F.from_bits (if x B.>= sign then x B.^ sign else B.not x)
}

module sort_f16 = make_radix u16 (make_float_digits u16 f16)

module sort_f32 = make_radix u32 (make_float_digits u32 f32)

module sort_f64 = make_radix u64 (make_float_digits u64 f64)
