def f (x: i64) : i64 = 10 / x
def fact (n: i64) : i64 = if n <= 1 then 1 else n * fact (n - 1)
entry main [n] (xs: [n]i64) : i64 = reduce (+) 0 (map f xs)
entry facts [n] (xs: [n]i64) : [n]i64 = map fact (map (+ 1) xs)
entry shares [n] (xs: [n]f64) : []f64 = let total = f64.sum xs in scan (+) 0 (map (/ total) xs) |> filter (> 0.5) |> reverse
