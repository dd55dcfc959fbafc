entry main (n: i64) : (i64, i64) =
  let xs = map (\i -> (i * 7919) % 1000003) (iota n)
  let ys = filter (\x -> x % 3 != 0) xs
  let zs = scan (+) 0 ys
  let m = reduce i64.max 0 (map3 (\y z i -> y ^ z + i) ys zs (indices ys))
  in (length ys, m)
entry whole (n: i64) : f64 =
  f64.sum (map f64.i64 (filter (\x -> x % 3 != 0) (map (% 1000) (iota n))))
entry floats (n: i64) : f64 =
  let xs = tabulate n (\i -> f64.i64 (i * 7919 % 1009) / 7)
  let s = scan (+) 0 xs
  let t = scan (+) 0 (map2 (\x y -> x * 0.5 + y) s xs)
  in f64.sum (map2 (*) s t)
