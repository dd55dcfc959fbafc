-- Elements that are put where counts of their kind and of those before say, and what only looks
-- like that.
-- ==
-- entry: parted
-- input { [3, 12, -4, 10, 9] } output { [3, -4, 9, 12, 10] }
-- input { empty([0]i32) } output { empty([0]i32) }
-- input { [12, 11] } output { [12, 11] }

-- ==
-- entry: others_first
-- input { [3, 12, -4, 10, 9] } output { [12, 10, 3, -4, 9] }

-- ==
-- entry: neither_counted
-- unlawful input { [3, 12, -4, 10, 9] } output { [3, -4, 9, 10, 7] }

-- ==
-- entry: sorted
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 17i64 } output { true }
-- input { 1000i64 } output { true }
-- long input { 100003i64 } output { true }

-- ==
-- entry: three_of_four
-- input { [0u32, 3u32, 1u32, 2u32, 3u32, 0u32] } output { [0u32, 0u32, 1u32, 2u32, 3u32, 3u32] }
-- input { [1u32, 0u32] } output { [0u32, 1u32] }

-- ==
-- entry: by_bits by_products by_wide_bits
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 17i64 } output { true }
-- input { 1000i64 } output { true }
-- long input { 100003i64 } output { true }

def places [n] (keep: [n]bool) : ([n]i64, i64) =
  let counts = scan (+) 0 (map i64.bool keep)
  in (counts, if n == 0 then 0 else last counts)

entry parted [n] (xs: [n]i32) : [n]i32 =
  let small = map (< 10) xs
  let (low, count) = places small
  let (high, _) = places (map (\s -> !s) small)
  in scatter (replicate n 7) (map3 (\s l h -> if s then l - 1 else count + h - 1) small low high) xs

entry others_first [n] (xs: [n]i32) : [n]i32 =
  let small = map (< 10) xs
  let (low, _) = places small
  let (high, count) = places (map (\s -> !s) small)
  in scatter (replicate n 7) (map3 (\s l h -> if s then count + l - 1 else h - 1) small low high) xs

-- Of two conditions, neither may hold.
entry neither_counted [n] (xs: [n]i32) : [n]i32 =
  let small = map (< 10) xs
  let (low, count) = places small
  let (high, _) = places (map (> 11) xs)
  in scatter (replicate n 7) (map3 (\s l h -> if s then l - 1 else count + h - 1) small low high) xs

def step [n] (shift: u32) (xs: [n]u32) : [n]u32 =
  let digit x = i64.u32 ((x >> shift) & 3)
  let one_hot x = (i64.bool (digit x == 0), i64.bool (digit x == 1),
                   i64.bool (digit x == 2), i64.bool (digit x == 3))
  let add (a, b, c, d) (a', b', c', d') = (a + a', b + b', c + c', d + d')
  let counts = scan add (0, 0, 0, 0) (map one_hot xs)
  let (a, b, c, _) = if n == 0 then (0, 0, 0, 0) else last counts
  let place x (i, j, k, l) =
    let d = digit x
    in if d == 0 then i - 1 else if d == 1 then a + j - 1 else if d == 2 then a + b + k - 1
       else a + b + c + l - 1
  in scatter (copy xs) (map2 place xs counts) xs

entry sorted (n: i64) : bool =
  let xs = map (\i -> u32.i64 (i * 7919 + i * i) * 2654435761) (iota n)
  let ys = loop xs for i < 16i32 do step (u32.i32 i * 2) xs
  let is_sorted = and (map (\i -> i == 0 || ys[i - 1] <= ys[i]) (iota n))
  in is_sorted && reduce (+) 0 xs == reduce (+) 0 ys && reduce (^) 0 xs == reduce (^) 0 ys

-- What none of three digits is equal to is the fourth one, which nobody counts.
entry three_of_four [n] (xs: [n]u32) : [n]u32 =
  let of d = places (map (\x -> x & 3 == d) xs)
  let ((i, a), (j, b), (k, c)) = (of 0, of 1, of 2)
  let place x i j k at =
    let d = x & 3
    in if d == 0 then i - 1 else if d == 1 then a + j - 1 else if d == 2 then a + b + k - 1
       else a + b + c + (at - i - j - k)
  in scatter (replicate n 7) (map5 place xs i j k (iota n)) xs

-- | Whether 10 steps sort numbers of as many bits.
def is_sorted_by (n: i64) (step: (i: i32) -> (xs: [n]u32) -> [n]u32) : bool =
  let xs = map (\i -> u32.i64 ((i * 7919 + 11) % 1021)) (iota n)
  let ys = loop xs for i < 10 do step i xs
  in all (\i -> i == 0 || ys[i - 1] <= ys[i]) (iota n) && u32.sum xs == u32.sum ys

entry by_bits (n: i64) : bool =
  is_sorted_by n (\bit xs ->
    let ones = map (u32.get_bit bit) xs
    let zeros = map (1 -) ones
    let up = scan (+) 0 zeros
    let total = if n > 0 then last up else 0
    let down = map (+ total) (scan (+) 0 ones)
    let place one u d = i64.i32 (if one == 1 then d - 1 else u - 1)
    in scatter (replicate n 0) (map3 place ones up down) xs)

entry by_products (n: i64) : bool =
  is_sorted_by n (\bit xs ->
    let bits = map (\x -> i32.u32 (x >> u32.i32 bit) & 1) xs
    let others = map (1 -) bits
    let offset = reduce (+) 0 others
    let first = map2 (*) others (scan (+) 0 others)
    let second = map2 (*) bits (map (+ offset) (scan (+) 0 bits))
    in scatter (copy xs) (map2 (\a b -> i64.i32 (a + b) - 1) first second) xs)

entry by_wide_bits (n: i64) : bool =
  is_sorted_by n (\bit xs ->
    let bits = map (\x -> i64.u32 (x >> u32.i32 bit) & 1) xs
    let ends = scan (+) 0 bits
    let others = scan (+) 0 (map (1 -) bits)
    let zeros = i64.sum (map (1 -) bits)
    let place b e o = if b == 0 then o - 1 else zeros + e - 1
    in scatter (replicate n 9) (map3 place bits ends others) xs)
