-- Maps over a flat index that is taken apart by division: the same as nests.

-- ==
-- entry: outer
-- input { [1i64, 2] [10i64, 20, 30] } output { [[11i64, 21, 31], [12i64, 22, 32]] }
-- input { empty([0]i64) [1i64] } output { empty([0][1]i64) }
-- input { [1i64, 2] empty([0]i64) } output { empty([2][0]i64) }
entry outer [n] [m] (xs: [n]i64) (ys: [m]i64) : [n][m]i64 =
  unflatten (tabulate (n * m) (\q -> xs[q / m] + ys[q % m]))

-- Neighbours at the edges, by flat places; three dimensions, one divisor and two; a constant width.
-- ==
-- entry: agree
-- input { 0i64 5i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 3i64 4i64 } output { true }
-- input { 37i64 50i64 } output { true }
-- input { 100i64 33i64 } output { true }
entry agree (n: i64) (m: i64) : bool =
  let xs = tabulate (n * m) (\q -> (q * 7919) % 1000)
  let flat = tabulate (n * m) (\q ->
    let (i, j) = (q / m, q % m)
    let up = if i == 0 then 0 else xs[q - m]
    let left = if j == 0 then 0 else xs[q - 1]
    let right = if j == m - 1 then 0 else xs[i * m + j + 1]
    in 4 * xs[q] - up - left - right)
  let xss = unflatten xs
  let nest = tabulate_2d n m (\i j ->
    let up = if i == 0 then 0 else xss[i - 1, j]
    let left = if j == 0 then 0 else xss[i, j - 1]
    let right = if j == m - 1 then 0 else xss[i, j + 1]
    in 4 * xss[i, j] - up - left - right)
  let deep = tabulate (n * m * 5) (\q ->
    let (i, j, k) = (q / (m * 5), q / 5 % m, q % 5)
    in i * 10000 + j * 10 + k + q % (m * 5))
  let deep_nest = tabulate_3d n m 5 (\i j k -> i * 10000 + j * 10 + k + j * 5 + k)
  let wide = map2 (\q x -> x + xs[q / 64 % i64.max 1 (n * m)] * (q % 64)) (iota (n * 64))
                  (replicate (n * 64) 1)
  let wide_nest = tabulate_2d n 64 (\i j -> 1 + xs[i % i64.max 1 (n * m)] * j)
  in and (map2 (==) flat (flatten nest))
     && and (map2 (==) deep (flatten (flatten deep_nest) :> [n * m * 5]i64))
     && and (map2 (==) wide (flatten wide_nest))

-- Products, and pairs that are added up again.
-- ==
-- entry: products
-- input { 1i64 1i64 1i64 } output { true }
-- input { 5i64 0i64 3i64 } output { true }
-- input { 20i64 17i64 33i64 } output { true }
-- input { 64i64 48i64 80i64 } output { true }
entry products (n: i64) (k: i64) (m: i64) : bool =
  let a = tabulate (n * k) (\q -> q % 13 - 6)
  let b = tabulate (k * m) (\q -> q % 11 - 5)
  let c = tabulate (n * m) (\q ->
    let (i, j) = (q / m, q % m)
    in i64.sum (tabulate k (\l -> a[i * k + l] * b[l * m + j])))
  let d = map (\row -> map (\column -> i64.sum (map2 (*) row column)) (transpose (unflatten b)))
              (unflatten a)
  let rows = map i64.sum (unflatten c) :> [n]i64
  in and (map2 (==) c (flatten d)) && and (map2 (==) rows (map i64.sum d))

-- A width that is none, or does not divide.
-- ==
-- entry: no_width
-- input { 6i64 0i64 } error: division
-- input { 0i64 0i64 } output { empty([0]i64) }
-- input { 6i64 4i64 } output { [0i64, 1, 2, 3, 100, 101] }
-- input { 6i64 -4i64 } output { [0i64, -103, -102, -101, -100, -203] }
entry no_width (n: i64) (m: i64) : []i64 = tabulate n (\q -> 100 * (q / m) + q % m)
