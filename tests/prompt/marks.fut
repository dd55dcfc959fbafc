-- Sums of numbers below each of some limits.
def below (k: i64): []i64 = loop xs = [] for i < k do xs ++ [i]

entry squares [n] (xs: [n]f64): f64 = #[accelerate] (f64.sum (map (\x -> x * x) xs))
entry sums [n] (ks: [n]i64): [n]i64 = #[accelerate] (map (\k -> i64.sum (below k)) ks)
