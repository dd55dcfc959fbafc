-- Loops of which each goes along a part of an array of its own, from any place on, for any number of
-- rounds: many rounds, few, none; of all lanes or of a few that go on; with indices of 32 and of 64
-- bits.
-- ==
-- entry: agree
-- input { 0i64 5i64 } output { true }
-- input { 1i64 100i64 } output { true }
-- input { 33i64 3i64 } output { true }
-- input { 300i64 17i64 } output { true }
-- input { 300i64 40i64 } output { true }
-- input { 1000i64 200i64 } output { true }

def lengths (n: i64) (most: i64) : [n]i64 =
  tabulate n (\i -> if i % 29 == 7 then most * 3 else (i * 7919 + i / 5) % (most + 1))

entry agree (n: i64) (most: i64) : bool =
  let count = 4 * most + 100
  let xs = tabulate count (\i -> i32.i64 (i * 7919 % 1001) - 500)
  let ys = tabulate count (\i -> f64.i64 (i % 13))
  let zs = tabulate count (\i -> i64.i32 xs[i] * 3)
  let lengths = lengths n most
  let starts = map2 (\i l -> (i * 104729) % (count - l + 1)) (iota n) lengths
  let sums =
    map2 (\start length ->
            i64.sum (map3 (\x y z -> i64.i32 x * 2 + i64.f64 y - z) xs[start:start + length]
                          ys[start:start + length] zs[start:start + length]))
         starts lengths
  let by_wide =
    map2 (\start length ->
            loop sum = 0i64 for j < length do
              sum + i64.i32 xs[start + j] * 2 + i64.f64 ys[j + start] - zs[start + j])
         starts lengths
  let by_narrow =
    map2 (\start length ->
            loop sum = 0i64 for j < length do
              sum + i64.i32 xs[start + j] * 2 + i64.f64 ys[j + start] - zs[start + j])
         (map i32.i64 starts) (map i32.i64 lengths)
  let between =
    map2 (\start end ->
            loop sum = 0i64 for i in start..<end do
              sum + i64.i32 xs[i] * 2 + i64.f64 ys[i] - zs[i])
         (map i32.i64 starts) (map2 (\s l -> i32.i64 (s + l)) starts lengths)
  let is_it = \other -> and (map2 (==) sums other)
  in is_it by_wide && is_it by_narrow && is_it between

-- The same of numbers of 32 bits alone.  (Small whole ones: their sums are exact in any order.)
-- ==
-- entry: total
-- input { 1i64 100i64 } output { 0i32 }
-- input { 33i64 3i64 } output { 623i32 }
-- input { 300i64 17i64 } output { 42668i32 }
-- input { 1000i64 200i64 } output { 1646270i32 }
entry total (n: i64) (most: i64) : i32 =
  let count = 4 * most + 100
  let fs = tabulate count (\i -> f32.i64 (i * 7919 % 17))
  let gs = tabulate count (\i -> i32.i64 (i % 5))
  let lengths = map i32.i64 (lengths n most)
  let starts = map2 (\i l -> i32.i64 (i * 104729) % (i32.i64 count - l + 1)) (iota n) lengths
  in i32.sum (map2 (\start length ->
                      let (f, g) =
                        loop (f, g) = (0f32, 0i32) for j < length do
                          (f + fs[start + j] * 2, g + gs[start + j])
                      in i32.f32 f - g)
                   starts lengths)

-- What is computed depends on what was computed before, and elements beside each other are read.
-- ==
-- entry: chains
-- input { 100i64 } output { true }
-- input { 1000i64 } output { true }
entry chains (n: i64) : bool =
  let xs = tabulate 2000 (\i -> u32.i64 (i * 7919))
  let step (h: u32) (a: u32) (b: u32) = (h ^ a) * 16777619 + (b >> 3)
  let starts = tabulate n (\i -> (i * 104729) % 900)
  let lengths = lengths n 50
  let by_index =
    map2 (\start length ->
            loop (h, last) = (2166136261u32, 0u32) for j < length do
              (step h xs[start + j] xs[start + j + 1], xs[start + j]))
         starts lengths
  let by_copies =
    map2 (\start length ->
            let these = xs[start:start + length] :> [length]u32
            let next = xs[start + 1:start + 1 + length] :> [length]u32
            in loop (h, last) = (2166136261u32, 0u32) for (a, b) in zip these next do
                 (step h a b, a))
         starts lengths
  in and (map2 (\(a, b) (c, d) -> a == c && b == d) by_index by_copies)

-- An index that lies outside is an error in the round that reads it, and only there.
-- ==
-- entry: beyond
-- input { 5i32 3i32 } output { [3i32, 3i32, 3i32] }
-- input { 98i32 3i32 } error: Index \[100\] out of bounds for array of shape \[100\]
-- input { -1i32 3i32 } error: Index \[-1\] out of bounds for array of shape \[100\]
-- input { -5i32 0i32 } output { [0i32, 0i32, 0i32] }
-- input { 2147483647i32 2i32 } error: Index \[2147483647\] out of bounds
-- input { 200i32 0i32 } output { [0i32, 0i32, 0i32] }
entry beyond (start: i32) (length: i32) : []i32 =
  let xs = replicate 100 1i32
  let starts = replicate 300 start with [17] = i32.max 0 (i32.min start 90)
  let sums = map2 (\s l -> loop sum = 0 for j < l do sum + xs[s + j]) starts (replicate 300 length)
  in [sums[0], sums[16], sums[299]]

-- Indices that are cut to 32 bits are what is left of them.
-- ==
-- entry: cut
-- input { 4294967296i64 } output { 4950i32 }
-- input { 0i64 } output { 4950i32 }
-- input { 4294967290i64 } error: Index \[-6\] out of bounds
-- input { -4294967296i64 } output { 4950i32 }
entry cut (start: i64) : i32 =
  let xs = map i32.i64 (iota 100)
  let sums =
    map2 (\s l -> loop sum = 0 for j < l do sum + xs[i32.i64 (s + j)])
         (replicate 200 start) (replicate 200 100i64)
  in sums[199]
