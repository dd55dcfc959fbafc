-- | The length of a vector.
def main [n] (xs: [n]f64) : f64 = f64.sqrt (reduce (+) 0 (map (\x -> x * x) xs))
