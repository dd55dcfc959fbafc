-- Loops that write whole columns of a table, against the same by rows.

def matrix (n: i64) (m: i64) (k: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.i64 ((i * 31 + j * 17 + i * j + k) % 13) / 4)

def wrong [n] [m] (a: [n][m]f32) (b: [n][m]f32) : i64 =
  map2 (\x y -> i64.bool (x != y)) (flatten a) (flatten b) |> i64.sum

def forward [m] (a: [m]f32) (b: [m]f32) : [m]f32 =
  loop c = replicate m 0 for j < m do
    c with [j] = if j == 0 then b[j] else b[j] - a[j] * c[j - 1] / 2

def backward [m] (a: [m]f32) (c: [m]f32) : [m]f32 =
  loop x = copy c for k < m - 1 do
    let j = m - 2 - k
    in x with [j] = x[j] - a[j] * x[j + 1] / 2

-- ==
-- entry: both square
-- input { 0i64 5i64 } output { 0i64 }
-- input { 1i64 2i64 } output { 0i64 }
-- input { 3i64 3i64 } output { 0i64 }
-- input { 40i64 70i64 } output { 0i64 }
-- input { 70i64 40i64 } output { 0i64 }
-- input { 33i64 33i64 } output { 0i64 }
entry both (n: i64) (m: i64) : i64 =
  let a = matrix n m 1
  let b = matrix n m 2
  let c = replicate n (replicate m 0f32) with [:, 0] = b[:, 0]
  let c = loop c for j in 1..<m do
    c with [:, j] = map3 (\b a c -> b - a * c / 2) b[:, j] a[:, j] (c[:, j - 1])
  let x = loop x = copy c for k in m - 2..m - 3...0 do
    x with [:, k] = map3 (\x a y -> x - a * y / 2) x[:, k] a[:, k] (x[:, k + 1])
  in wrong c (map2 forward a b) + wrong x (map2 backward a c)

-- | Rows and columns are as many; what a row of the table has is another element's, too.
entry square (n: i64) (m: i64) : i64 =
  let a = matrix n n m
  let c = loop c = copy a for k < n - 1 do
    c with [:, k + 1] = map2 (\x y -> x + y / 2) (c[:, k + 1]) (c[:, k])
  let halves row = loop r = copy row for k < n - 1 do r with [k + 1] = r[k + 1] + r[k] / 2
  let d = loop d = copy a for k < n - 1 do
    d with [:, k + 1] = map (\i -> d[n - 1 - i, k] + 1) (iota n)
  let e = loop e = copy a for k < n - 1 do
    let column = map (\i -> e[n - 1 - i, k] + 1) (iota n)
    in loop e for i < n do e with [i, k + 1] = column[i]
  in wrong c (map halves a) + wrong d e
