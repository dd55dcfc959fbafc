-- Small arrays in a loop: compiled code must not be slower than the evaluator from ten elements on.
-- Each entry point runs one operation a thousand times; the time of a run in microseconds is that of
-- one operation in nanoseconds.  small.py holds the modes against each other.

entry input (n: i64) : [n]f32 = map (\i -> f32.i64 (i % 17)) (iota n)

def times = 1000i32

entry kernel_map [n] (xs: [n]f32) = loop xs for _i < times do map (\x -> x * 0.5 + 1) xs

entry kernel_sum [n] (xs: [n]f32) =
  [(loop s = 0 for i < times do s * 0.5 + f32.sum (map (+ f32.i32 i) xs))]

entry kernel_scan [n] (xs: [n]f32) =
  loop xs for _i < times do scan (\a b -> a * 0.25 + b) 0 xs

entry kernel_stencil [n] (xs: [n]f32) =
  loop xs for _i < times do
    tabulate n (\i -> (xs[i64.max 0 (i - 1)] + xs[i] + xs[i64.min (n - 1) (i + 1)]) / 3)

entry kernel_filter [n] (xs: [n]f32) =
  [(loop s = 0 for i < times do s + length (filter (> f32.i32 (i % 17)) xs))] |> map f32.i64

entry kernel_scatter [n] (xs: [n]f32) =
  loop ys = copy xs for i < times do scatter ys (map (\k -> (k * 7 + i64.i32 i) % n) (iota n)) xs

entry kernel_hist [n] (xs: [n]f32) =
  loop counts = replicate 17 0f32 for i < times do
    reduce_by_index counts (+) 0 (map (\x -> (i64.f32 x + i64.i32 i) % 17) xs) (replicate n 1)

entry kernel_matmul [n] (xs: [n]f32) =
  let a = replicate n xs
  in (loop b = a for _i < times do
        map (\row -> map (\column -> f32.sum (map2 (*) row column) / 128) (transpose b)) a)[0]

entry checksum [n] (xs: [n]f32) : (f64, f64, u64) = (f64.f32 (f32.sum xs), 0, 0)
