-- Sorting by small numbers: by counts and a loop, by filters of each digit, round by round.

-- Where elements of each kind begin, and the elements, kind by kind.
def by_kind [n] 'a (kinds: i64) (kind: a -> i64) (default: a) (xs: [n]a) : ([kinds]i64, [n]a) =
  let counts = hist (+) 0i64 kinds (map kind xs) (replicate n 1)
  in loop (places, sorted) = (exscan (+) 0 counts, replicate n default) for i < n do
       let k = kind xs[i]
       let place = places[k]
       in (places with [k] = place + 1, sorted with [place] = xs[i])

-- ==
-- entry: bytes
-- input { [3u8, 255u8, 0u8, 3u8, 128u8] }
-- output { [0u8, 3u8, 3u8, 128u8, 255u8] }
-- input { empty([0]u8) }
-- output { empty([0]u8) }
entry bytes [n] (xs: [n]u8) : [n]u8 = (by_kind 256 i64.u8 0 xs).1

-- Equal ones stay in their order, and the places are where each kind ends.
-- ==
-- entry: pairs
-- input { 3i64 [2i64, 0i64, 2i64, 0i64, 2i64] }
-- output { [2i64, 2i64, 5i64] [1i64, 3i64, 0i64, 2i64, 4i64] }
-- input { 4i64 [3i64] }
-- output { [0i64, 0i64, 0i64, 1i64] [0i64] }
-- input { 0i64 empty([0]i64) }
-- output { empty([0]i64) empty([0]i64) }
-- input { 3i64 [2i64, 3i64] }
-- error: Index \[3\] out of bounds for array of shape \[3\]
-- input { 3i64 [-1i64, 5i64] }
-- error: Index \[-1\] out of bounds for array of shape \[3\]
-- input { 0i64 [0i64] }
-- error: Index \[0\] out of bounds for array of shape \[0\]
entry pairs [n] (k: i64) (ks: [n]i64) =
  let (places, sorted) = by_kind k (.0) (0, 0) (zip ks (iota n))
  in (places, map (.1) sorted)

-- Two bits in each round, and one that is left.
def by_rounds [n] (xs: [n]u16) : [n]u16 =
  loop xs for i < 8 do
    let is (d: u16) = filter (\x -> (x >> (u16.i32 i * 2)) & 3 == d) xs
    in (is 0 ++ is 1 ++ is 2 ++ is 3) :> [n]u16

-- One bit in each round, greater ones first.
def descending [n] (xs: [n](i64, f32)) : [n](i64, f32) =
  loop xs for i < 11i64 do
    let (zeros, ones) = partition (\(x, _) -> (x >> i) & 1 == 0) xs
    in (ones ++ zeros) :> [n](i64, f32)

-- ==
-- entry: rounds
-- input { 1i64 } output { true }
-- input { 17i64 } output { true }
-- input { 5000i64 } output { true }
entry rounds (n: i64) : bool =
  let xs = tabulate n (\i -> u16.i64 (i * 40503))
  let ys = by_rounds xs
  let pairs = tabulate n (\i -> (i * 40503 % 2048, f32.i64 i))
  let sorted = descending pairs
  in all (\i -> ys[i - 1] <= ys[i]) (1..<n)
     && u64.sum (map u64.u16 xs) == u64.sum (map u64.u16 ys)
     && all (\i -> let (a, x) = sorted[i - 1] let (b, y) = sorted[i] in a > b || (a == b && x < y))
            (1..<n)
     && all (\(a, x) -> pairs[i64.f32 x].0 == a) sorted
