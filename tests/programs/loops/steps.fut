-- Loops whose iterations need only what lies near in the array that the one before has made: compiled
-- code takes parts of the arrays through several iterations at a time.

-- Costs of ways down through rows, a row an iteration.
-- ==
-- entry: ways
-- input { 5i64 7i64 } output { 112i64 }
-- input { 6000i64 40i64 } output { 615660i64 }
entry ways (n: i64) (rows: i64) : i64 =
  let costs = tabulate_2d rows n (\r j -> (r * 7919 + j * 104729 + r * j) % 10)
  let last = loop d = copy costs[0] for r in 1..<rows do
    tabulate n (\j ->
      costs[r, j] + i64.min (i64.min d[i64.max 0 (j - 1)] d[j]) d[i64.min (n - 1) (j + 1)])
  in i64.sum last

-- Two fields that wait for each other, and a number that goes along.
-- ==
-- entry: fields
-- input { 3i64 4i64 3i32 } output { 1571272i64 }
-- input { 150i64 70i64 21i32 } output { 1028885359i64 }
entry fields (n: i64) (m: i64) (steps: i32) : i64 =
  let us = tabulate_2d n m (\i j -> i * 31 + j)
  let vs = tabulate_2d n m (\i j -> i - j * 17)
  let (us, vs, age) =
    loop (us, vs, age) = (us, vs, 1i64) for s < steps do
      let next = tabulate_2d n m (\i j ->
        let u = us[i, j] + age * vs[i64.min (n - 1) (i + 2), j]
        let v = vs[i, j] ^ us[i64.max 0 (i - 1), (j + 1) % m]
        in (u & 0xffff, v & 0xffff))
      in (map (map (.0)) next, map (map (.1)) next, (age * 3 + i64.i32 s) % 101)
  in i64.sum (flatten us) + 2 * i64.sum (flatten vs) + age

-- What fails first counts: the 30th step, far to the right.
-- ==
-- entry: fails
-- input { 6000i64 } error: Index \[5003\] out of bounds
entry fails (n: i64) : i64 =
  let table = [1i64]
  let xs = loop xs = replicate n 0i64 for _s < 60i32 do
    tabulate n (\i ->
      let x = xs[i64.min (n - 1) (i + 1)]
      in x + table[if i >= 5003 && x >= 29 then i else 0])
  in i64.sum xs
