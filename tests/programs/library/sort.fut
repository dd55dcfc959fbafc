-- `import "sinter/sort"`: every way of sorting against what sorted means.

import "sinter/sort"
import "sinter/random"

def sizes : []i64 = [0, 1, 2, 3, 7, 64, 129, 1000, 2049]

def is_ascending 't [n] (leq: t -> t -> bool) (xs: [n]t) : bool =
  all (\i -> leq xs[i] xs[i + 1]) (iota (i64.max 0 (n - 1)))

-- Whether indexes sort an array in a stable way: ascending, equal ones in their order.
def sorts 't [n] (less: t -> t -> bool) (xs: [n]t) (order: [n]i64) : bool =
  is_ascending (\i j -> less xs[i] xs[j] || (!(less xs[j] xs[i]) && i < j)) order
  && all (\i -> i >= 0 && i < n) order

def few (n: i64) : [n]i32 = map i32.i64 (random.integers (-20) 20 n (random.seed 5))

-- ==
-- entry: stable
-- input { }
-- output { true }
entry stable : bool =
  and (map (\n ->
         let xs = few n
         in sorts (<) xs (sort.indices (<=) xs)
            && sorts (<) xs (sort_i32.indices xs)
            && sorts (>) xs (sort.indices (>=) xs)
            && is_ascending (<=) (sort.by (<=) xs)
            && and (map2 (==) (sort.by (<=) xs) (sort_i32.sort xs))
            && and (map2 (==) (sort.by_key (% 10) (<=) xs) (sort_i32.by_key (% 10) xs)))
       sizes)

-- All types, with numbers of all sizes.
module check_type
  (T: integral)
  (S: {val sort [n] : [n]T.t -> *[n]T.t val indices [n] : [n]T.t -> *[n]i64}) = {
  def holds (n: i64) : bool =
    let xs = map T.u64 (random.bits n (random.seed 3))
    let sorted = S.sort xs
    in sorts (T.<) xs (S.indices xs)
       && and (map2 (\x i -> x T.== xs[i]) sorted (S.indices xs))
}
module check_u8 = check_type u8 sort_u8
module check_u16 = check_type u16 sort_u16
module check_u32 = check_type u32 sort_u32
module check_u64 = check_type u64 sort_u64
module check_i8 = check_type i8 sort_i8
module check_i16 = check_type i16 sort_i16
module check_i32 = check_type i32 sort_i32
module check_i64 = check_type i64 sort_i64

-- ==
-- entry: integers
-- input { }
-- output { [true, true, true, true, true, true, true, true] }
entry integers : []bool =
  -- (One after the other: arrays that are sorted side by side are `stable`'s.)
  let hold (check: i64 -> bool) = loop ok = true for n in sizes do ok && check n
  in [ hold check_u8.holds, hold check_u16.holds, hold check_u32.holds, hold check_u64.holds
     , hold check_i8.holds, hold check_i16.holds, hold check_i32.holds, hold check_i64.holds ]

-- Numbers that their first bits tell apart, all or nearly, or that come in crowds of several sizes
-- which only their last bits tell apart; some of them equal.
-- ==
-- entry: crowds
-- long input { }
-- output { [true, true, true, true, true, true] }
entry crowds : []bool =
  let n = 16500
  let xs = random.bits n (random.seed 4)
  -- The first `count` are alike in their first bits.
  let crowd (count: i64) =
    map2 (\x i -> if i < count then 0x7000000000000000 | (x >> 40) else x) xs (iota n)
  let check (xs: []u64) =
    let order = sort_u64.indices xs
    in sorts (<) xs order && and (map2 (\x i -> x == xs[i]) (sort_u64.sort xs) order)
  in [ check xs
     , check (crowd 60)
     , check (crowd 150)
     , check (crowd 5000)
     , check (map (\x -> (x & 0xff00000000000000) | ((x >> 8) & 3)) xs)
     , check (map2 (\x i ->
                let rank = i * 7919 % n
                let first = if rank >= 4020 && rank < 4110 then 4020 else rank
                in u64.i64 first << 40 | if rank == 0 then 0 else x >> 30) xs (iota n)) ]

def sorts_i32 (xs: []i32) =
  let order = sort_i32.indices xs
  in sorts (<) xs order && and (map2 (\x i -> x == xs[i]) (sort_i32.sort xs) order)

-- Thousands, of which up to 2, 5, 11, 24 neighbours are alike in their first two digits, or more of
-- them in those, in three, or in all but the last one; in their order and against it.
-- ==
-- entry: neighbours
-- long input { }
-- output { [true, true, true, true, true, true, true, true, true] }
entry neighbours : []bool =
  let n = 3000
  let xs = random.bits n (random.seed 7)
  -- `count` of each of some first bits, and the greatest and the least of all.
  let alike (count: i64) (shift: u64) =
    map2 (\x i -> if i == 0 then u64.highest else if i == 1 then 0
                  else ((u64.i64 (i * 7919 % n / count) * 21) << shift) | (x >> (64 - shift)))
         xs (iota n)
  let check (xs: []u64) =
    let order = sort_u64.indices xs
    in sorts (<) xs order && and (map2 (\x i -> x == xs[i]) (sort_u64.sort xs) order)
       && sorts_i32 (map i32.u64 xs)
  in [ check (alike 2 48), check (alike 3 48), check (alike 5 48), check (alike 11 48)
     , check (alike 25 48), check (alike 100 48), check (alike 3 40), check (alike 100 40)
     , check (reverse (alike 24 48)) ]

-- What needs no digits but two, and is settled in blocks or not; many.
-- ==
-- entry: many
-- long input { }
-- output { [true, true, true] }
entry many : []bool =
  let n = 66000
  let xs = random.bits n (random.seed 8)
  let check (xs: []u64) =
    let order = sort_u64.indices xs
    in sorts (<) xs order && and (map2 (\x i -> x == xs[i]) (sort_u64.sort xs) order)
  in [ check xs
     , check (map2 (\x i -> if i < 5000 then 0x7000000000000000 | (x >> 40) else x) xs (iota n))
     , check (map (& 0xffff00000000ff00) xs) ]

-- What is sorted already, or nearly, or backwards, or all the same, or a few numbers only: keys with
-- what they belong to, and numbers alone.
-- ==
-- entry: shapes
-- long input { }
-- output { [true, true, true, true, true, true] }
entry shapes : []bool =
  let n = 20000i64
  let xs = random.integers (-1000000) 1000000 n (random.seed 6)
  let check (xs: []i64) =
    let order = sort_i64.indices xs
    let floats = map f32.i64 xs
    in sorts (<) xs order
       && and (map2 (\x i -> x == xs[i]) (sort_i64.sort xs) order)
       && and (map2 (\x i -> x == xs[i]) (sort_i64.by_key i64.neg (map i64.neg xs) |> map i64.neg) order)
       && is_ascending (<=) (sort_f32.sort floats)
       && sorts (<) floats (sort_f32.indices floats)
       && and (map2 (==) (map i64.i32 (sort_i32.sort (map i32.i64 xs))) (sort_i64.sort xs))
  in [ check (iota n)
     , check (map2 (\i x -> if i % 1000 == 7 then i + x % 50 else i) (iota n) xs)
     , check (reverse (iota n))
     , check (replicate n (-3))
     , check (map (% 3) xs)
     , check xs ]

-- Zeros by their sign, infinities at the ends, what is not a number last.
-- ==
-- entry: floats
-- input { [0.0, -1.5, f64.inf, f64.nan, -0.0, 3e-320, -f64.inf, 2.5, f64.nan] }
-- output { [-f64.inf, -1.5, -0.0, 0.0, 3e-320, 2.5, f64.inf, f64.nan, f64.nan]
--          [-f32.inf, -1.5f32, -0.0f32, 0.0f32, 0.0f32, 2.5f32, f32.inf, f32.nan, f32.nan]
--          [6i64, 1i64, 4i64, 0i64, 5i64, 7i64, 2i64, 3i64, 8i64] }
entry floats [n] (xs: [n]f64) : ([n]f64, [n]f32, [n]i64) =
  (sort_f64.sort xs, sort_f32.sort (map f32.f64 xs), sort_f64.indices xs)

-- ==
-- entry: halves
-- input { [2.5f16, -1f16, 0f16, -65504f16] }
-- output { [-65504f16, -1f16, 0f16, 2.5f16] }
entry halves [n] (xs: [n]f16) : [n]f16 = sort_f16.sort xs

-- ==
-- entry: signs
-- input { [0.0, -0.0, 0.0, -0.0] }
-- output { [true, true, false, false] }
entry signs [n] (xs: [n]f64) : [n]bool = map (\x -> f64.to_bits x != 0) (sort_f64.sort xs)

-- ==
-- entry: searching
-- input { [10i32, 20i32, 20i32, 30i32] [5i32, 10i32, 20i32, 25i32, 30i32, 31i32] }
-- output { [0i64, 0i64, 1i64, 3i64, 3i64, 4i64] [0i64, 1i64, 3i64, 3i64, 4i64, 4i64] true }
-- input { empty([0]i32) [1i32] }
-- output { [0i64] [0i64] true }
entry searching [n] [m] (xs: [n]i32) (sought: [m]i32) : ([m]i64, [m]i64, bool) =
  let lower = map (sort_i32.lower_bound xs) sought
  let upper = map (sort_i32.upper_bound xs) sought
  in ( lower
     , upper
     , and (map2 (==) lower (map (sort.lower_bound (<=) xs) sought))
       && and (map2 (==) upper (map (sort.upper_bound (<=) xs) sought)) )

-- ==
-- entry: distinct
-- input { [3i64, 1i64, 3i64, 3i64, -2i64] }
-- output { [-2i64, 1i64, 3i64] [1i64, 1i64, 3i64] true }
-- input { empty([0]i64) }
-- output { empty([0]i64) empty([0]i64) true }
entry distinct (xs: []i64) : ([]i64, []i64, bool) =
  let (values, counts) = sort_i64.count_unique xs
  let others = sort.unique (<=) xs
  in ( values
     , counts
     , length others == length values && all (\i -> others[i] == values[i]) (indices values) )

-- What is found by rank is what sorting puts there.
-- ==
-- entry: ranks
-- input { }
-- output { true }
entry ranks : bool =
  let check (xs: []f64) =
    let n = length xs
    let wanted = [0, n / 2, n - 1, n / 3, n / 2]
    let sorted = sort_f64.sort xs
    let is_right (found: f64) (r: i64) = f64.to_bits found == f64.to_bits sorted[r]
    in and (map2 is_right (sort_f64.ranked wanted xs) wanted)
       && and (map2 (==) (sort_f64.top (n / 2) xs) (take (n / 2) (reverse sorted)))
       && and (map2 (==) (sort.top (<=) (n / 2) xs) (take (n / 2) (reverse sorted)))
  let key = random.seed 9
  in check (random.normal 3000 key)
     && check (map (\x -> f64.floor (3 * x)) (random.uniform 3000 key))
     && check (random.exponential 1 key)
     && check (map f64.exp (map (* 300) (random.normal 500 key)))
     && check ([1e300] ++ random.uniform 200 key)

-- ==
-- entry: bad_rank
-- input { 3i64 }
-- error: Assertion
-- input { -1i64 }
-- error: Assertion
entry bad_rank (rank: i64) : []i32 = sort_i32.ranked [rank] [5, 6, 7]

-- Elements of any type: rows of a table, by their last column.
-- ==
-- entry: rows
-- input { [[1i32, 9i32], [2i32, 7i32], [3i32, 9i32], [4i32, 1i32]] }
-- output { [[4i32, 1i32], [2i32, 7i32], [1i32, 9i32], [3i32, 9i32]] true }
entry rows [n] [m] (table: [n][m]i32) : ([n][m]i32, bool) =
  let sorted = sort_i32.by_key last table
  in (sorted, and (map2 (\a b -> and (map2 (==) a b)) sorted (sort.by_key last (<=) table)))
