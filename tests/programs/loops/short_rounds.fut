-- Loops over arrays of which a round may have little to do or much: the same either way.  What is
-- expected is made by maps of loops, of each element for itself, or by sums in integers.

def mix (x: u32) : u32 = (x * 747796405 + 2891336453) ^ (x >> 15)

-- ==
-- entry: maps sums while_it_is_less two_loops rows_in_place histograms sorts
-- input { 0i64 3i64 } output { true }
-- input { 1i64 0i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 7i64 100i64 } output { true }
-- input { 300i64 20i64 } output { true }
-- input { 20000i64 6i64 } output { true }
entry maps (n: i64) (k: i64) : bool =
  let start = map u32.i64 (iota n)
  let as = loop xs = start for i < k do map (\x -> mix (x + u32.i64 i)) xs
  let bs = map (\x -> loop x = x for i < k do mix (x + u32.i64 i)) start
  in and (map2 (==) as bs)

-- | Each round needs all of the round before.
entry sums (n: i64) (k: i64) : bool =
  let (xs, total) =
    loop (xs, total) = (map u32.i64 (iota n), 0) for _i < k do
      let s = u32.sum xs
      in (map (\x -> mix (x + s)) xs, total ^ s)
  let (ys, of_ys) =
    loop (ys, of_ys) = (map u32.i64 (iota n), 0u32) for _i < k do
      let s = loop s = 0 for j < n do s + ys[j]
      let zs = copy ys
      in (loop zs for j < n do zs with [j] = mix (ys[j] + s), of_ys ^ s)
  in total == of_ys && and (map2 (==) xs ys)

entry while_it_is_less (n: i64) (k: i64) : bool =
  let (xs, rounds) =
    loop (xs, rounds) = (iota n, 0i64) while rounds < k && i64.sum xs < 100000000 do
      (map2 (\x i -> 2 * x + i) xs (iota n), rounds + 1)
  in and (map2 (\x i -> x == (loop y = i for _r < rounds do 2 * y + i)) xs (iota n))

-- | The inner one may be short where both are not.
entry two_loops (n: i64) (k: i64) : bool =
  let start = map u32.i64 (iota n)
  let as =
    loop xs = start for i < k do
      loop xs = xs for j < 9i64 do map2 (\x y -> mix (x ^ y) + u32.i64 (i + j)) xs (rotate 1 xs)
  let bs =
    loop xs = start for q < 9 * k do
      let next = rotate 1 xs
      in tabulate n (\l -> mix (xs[l] ^ next[l]) + u32.i64 (q / 9 + q % 9))
  in and (map2 (==) as bs)

-- | Rows of a table are changed, one in each round.
entry rows_in_place (n: i64) (k: i64) : bool =
  let table = replicate 5 (map u32.i64 (iota n))
  let as =
    loop t = table for i < k do
      let row = map (\x -> mix (x + u32.i64 i)) t[i % 5]
      in t with [i % 5] = row
  let expected (r: i64) (x: u32) =
    loop x for i < k do if i % 5 == r then mix (x + u32.i64 i) else x
  let bs = tabulate_2d 5 n (\r c -> expected r (u32.i64 c))
  in and (map2 (\a b -> and (map2 (==) a b)) as bs)

entry histograms (n: i64) (k: i64) : bool =
  let as =
    loop hs = replicate 16 0i64 for i < k do
      let bins = map (\j -> (j * (i + 1) + hs[(i + j) % 16]) % 16) (iota n)
      in reduce_by_index hs (+) 0 bins (replicate n 1)
  in i64.sum as == n * k

entry sorts (n: i64) (k: i64) : bool =
  let xs =
    loop xs = map (\i -> i64.u32 (mix (u32.i64 i))) (iota n) for _i < k do
      let (small, large) = partition (< 1000000) xs
      in small ++ large :> [n]i64
  in and (tabulate n (\i -> i == 0 || xs[i - 1] < 1000000 || xs[i] >= 1000000 || k == 0))

-- A place that is not there, in a round far behind.
-- ==
-- entry: too_far
-- input { 10i64 100i64 1000i64 } output { [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }
-- input { 10i64 100i64 70i64 } error: out of bounds
entry too_far (n: i64) (k: i64) (m: i64) : [n]i32 =
  let table = replicate m 0i32
  in loop xs = replicate n 0 for i < k do map (\x -> x + table[i]) xs
