-- Scans and sums of floats along each other, of arrays so large that they go by pieces where they
-- are compiled: the order of all folds is that of the whole.
-- ==
-- entry: prefixes
-- input { 0i64 } output { 0u64 18442240474082181120u64 }
-- input { 1i64 } output { 4674160681434480640u64 4634731782145572864u64 }
-- input { 4097i64 } output { 4783364417510490003u64 4635194205321597514u64 }
-- long input { 4200000i64 } output { 4873524656551740820u64 4635194205321597514u64 }

def numbers (n: i64): [n]f64 =
  tabulate n (\i -> f64.i64 (i * 7919 % 2003) / 7 - 143)

-- (Bits, as numbers would be held against each other with a tolerance.)
entry prefixes (n: i64): (u64, u64) =
  let xs = numbers n
  let s = scan (+) 0 xs
  let t = scan (+) 0 (map2 (\x y -> x * 0.5 + y) s xs)
  in (f64.to_bits (reduce (+) 0 (map2 (*) s t)), f64.to_bits (f64.maximum (map2 (-) s t)))
