-- What first_sight.py evaluates.
def squares (n: i64) : i64 = reduce (+) 0 (map (\x -> x * x) (iota n))
def step [n][m] (g: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\i j ->
    let c = g[i, j]
    let u = if i > 0 then g[i-1, j] else c
    let d = if i < n-1 then g[i+1, j] else c
    let l = if j > 0 then g[i, j-1] else c
    let r = if j < m-1 then g[i, j+1] else c
    in c + 0.1 * (u + d + l + r - 4 * c))
def heat (n: i64) (k: i64) : f32 =
  let g = tabulate_2d n n (\i j -> f32.i64 ((i * 7 + j * 13) % 10))
  let r = loop g for _i < k do step g
  in r[n/2, n/3]
def matmul [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a
def product (n: i64) : f32 =
  let a = tabulate_2d n n (\i j -> f32.i64 ((i + j) % 7))
  let b = tabulate_2d n n (\i j -> f32.i64 ((i * j) % 5))
  in f32.maximum (flatten (matmul a b))
def fibonacci (n: i64) : i64 = if n < 2 then n else fibonacci (n-1) + fibonacci (n-2)
def steps (n: i64) : i64 = (loop (k, s) = (n, 0) while k != 1 do (if k % 2 == 0 then k / 2 else 3 * k + 1, s + 1)).1
def collatz (n: i64) : i64 = i64.maximum (map (\i -> steps (i + 1)) (iota n))
def mandelbrot (n: i64) : i64 =
  i64.sum (flatten (tabulate_2d n n (\i j ->
    let cx = f64.i64 j / f64.i64 n * 3 - 2
    let cy = f64.i64 i / f64.i64 n * 2 - 1
    in (loop (x, y, k) = (0, 0, 0i64) while k < 100 && x*x + y*y < 4 do (x*x - y*y + cx, 2*x*y + cy, k + 1)).2)))
def small_steps (k: i64) (n: i64) : i64 =
  i64.sum (loop xs = iota n for i < k do map (\x -> (x * 3 + i) % 1001) xs)
def bodies (n: i64) (k: i64) : f64 =
  let ps = map (\i -> (f64.i64 i, f64.i64 (i * 7 % 13))) (iota n)
  let r = loop ps for _i < k do
    map (\(x, y) -> let f = map (\(a, b) -> let dx = a - x let dy = b - y let d = dx*dx + dy*dy + 0.1 in (dx / d, dy / d)) ps
                    let fx = f64.sum (map (.0) f) let fy = f64.sum (map (.1) f)
                    in (x + 0.001 * fx, y + 0.001 * fy)) ps
  in f64.sum (map (.0) r)
def traced (n: i64) : i64 =
  let xs = map (\x -> x * 3) (iota n)
  let s = #[trace] (reduce (+) 0 xs)
  let ys = map (\x -> x * s) xs
  in reduce (+) 0 ys
def table = map (\i -> i * i % 1000) (iota 10000000)
def of_table (k: i64) : i64 = i64.sum (map (\i -> table[i * 1000]) (iota k)) + i64.sum table
def sorted (n: i64) : i64 =
  let xs = map (\i -> (i * 7919) % 65536) (iota n)
  let r = loop xs for b < 16 do
    let bits = map (\x -> (x >> b) & 1) xs
    let zeros = scan (+) 0 (map (1 -) bits)
    let ones = scan (+) 0 bits
    let nz = last zeros
    in scatter (copy xs) (map3 (\b z o -> if b == 0 then z - 1 else nz + o - 1) bits zeros ones) xs
  in r[n/2]
def in_place (n: i64) : i64 =
  let a = loop a = replicate n 0i64 for i < n do a with [(i * 7) % n] = i
  in a[n-1]
def triangle (n: i64) : i64 = if n == 0 then 0 else n + triangle (n - 1)
def primes (n: i64) : i64 = i64.sum (map (\i -> if i < 2 then 0 else (loop (ok, d) = (1i64, 2i64) while ok == 1 && d * d <= i do (if i % d == 0 then 0 else 1, d + 1)).0) (iota n))
