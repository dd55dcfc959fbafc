-- Folds that select an index by what stands there, against loops from the left.

def numbers (n: i64) (ties: i64) : [n]f32 =
  map (\i -> let k = (i * 7919 + 13) % 100003
             in if ties == 0 then f32.i64 k
                else if ties == 1 then f32.i64 (k % 17)
                else if i % 11 == 3 then f32.nan else f32.i64 (k % 1001)) (iota n)

def from_left [n] (op: i64 -> i64 -> i64) (ne: i64) (xs: [n]f32) : i64 =
  loop at = ne for i < length xs do op at i

-- | Index 0 is none of "nobody": taken once more, it changes nothing.
-- ==
-- entry: first_least
-- input { 0i64 0i64 } output { true }
-- input { 1i64 0i64 } output { true }
-- unlawful input { 33i64 0i64 } output { true }
-- unlawful input { 1000i64 1i64 } output { true }
-- unlawful input { 1000i64 2i64 } output { true }
-- unlawful input { 70001i64 0i64 } output { true }
-- unlawful input { 70001i64 1i64 } output { true }
-- unlawful input { 70001i64 2i64 } output { true }
entry first_least (n: i64) (ties: i64) : bool =
  let xs = numbers n ties
  let op i j = if xs[j] < xs[i] then j else i
  in reduce op 0 (iota n) == (if n == 0 then 0 else from_left op 0 xs)

-- ==
-- entry: guarded least_of_two
-- input { 0i64 0i64 } output { true }
-- input { 1i64 0i64 } output { true }
-- input { 33i64 0i64 } output { true }
-- input { 1000i64 1i64 } output { true }
-- input { 70001i64 0i64 } output { true }
-- input { 70001i64 1i64 } output { true }
entry guarded (n: i64) (ties: i64) : bool =
  let xs = numbers n ties
  let op i j =
    if i < 0 then j
    else if j < 0 then i
    else if xs[j] < xs[i] || (xs[j] == xs[i] && j < i) then j else i
  in reduce op (-1) (iota n) == from_left op (-1) xs

entry least_of_two (n: i64) (ties: i64) : bool =
  let xs = numbers n ties
  let ys = map (\i -> i32.i64 (i * 31 % 7)) (iota n)
  let op i j =
    if i < 0 then j
    else if j < 0 then i
    else if xs[j] < xs[i] then j
    else if xs[i] < xs[j] then i
    else if ys[j] < ys[i] then j else i
  in reduce op (-1) (iota n) == from_left op (-1) xs

-- | NaNs are passed over from the left on: what comes out depends on the order alone.
-- ==
-- entry: last_greatest
-- input { 0i64 0i64 } output { true }
-- input { 1i64 0i64 } output { true }
-- input { 1000i64 1i64 } output { true }
-- input { 70001i64 0i64 } output { true }
-- unlawful input { 1000i64 2i64 } output { true }
-- unlawful input { 70001i64 2i64 } output { true }
entry last_greatest (n: i64) (ties: i64) : bool =
  let xs = numbers n ties
  let op i j = if i < 0 then j else if j < 0 then i else if xs[j] >= xs[i] then j else i
  let folded = reduce op (-1) (iota n)
  in if ties == 2 then folded >= -1 && folded < n else folded == from_left op (-1) xs
