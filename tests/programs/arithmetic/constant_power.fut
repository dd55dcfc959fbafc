-- A power is the same number whether or not the exponent is known, and whole powers are products.

def same64 a b = f64.to_bits a == f64.to_bits b || (f64.isnan a && f64.isnan b)
def same32 a b = f32.to_bits a == f32.to_bits b || (f32.isnan a && f32.isnan b)
def same16 a b = f16.to_bits a == f16.to_bits b || (f16.isnan a && f16.isnan b)

-- ==
-- entry: f64s
-- input { [1.1, -3.7, 1e-200, 0.0, -1e103, 5.6e102, f64.nan, -f64.inf, 1e-104, 0.3333333333333333] }
-- output { true true true }
entry f64s (xs: []f64) =
  let known x : [12]f64 =
    [x ** -1, x ** 0, x ** 1, x ** 2, x ** 3, x ** 4, x ** 5, x ** 6, x ** 7, x ** 8, x ** 9,
     x ** 2.5]
  let exponents : [12]f64 = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2.5]
  in (and (map (\x -> and (map2 same64 (known x) (map (x **) exponents))) xs),
      and (map (\x -> same64 (x ** 2) (x * x)) xs),
      and (map (\x -> same64 (x ** -1) (1 / x)) xs))

-- ==
-- entry: f32s
-- input { [1.1f32, -3.7f32, 1e-30f32, 0.0f32, -1e13f32, 6.9e12f32, f32.nan, -f32.inf, 0.3333f32] }
-- output { true true true }
entry f32s (xs: []f32) =
  let known x : [12]f32 =
    [x ** -1, x ** 0, x ** 1, x ** 2, x ** 3, x ** 4, x ** 5, x ** 6, x ** 7, x ** 8, x ** 9,
     x ** 2.5]
  let exponents : [12]f32 = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2.5]
  in (and (map (\x -> and (map2 same32 (known x) (map (x **) exponents))) xs),
      and (map (\x -> same32 (x ** 2) (x * x)) xs),
      and (map (\x -> same32 (x ** -1) (1 / x)) xs))

-- ==
-- entry: f16s
-- input { [1.1f16, -3.7f16, 0.01f16, 0.0f16, -41f16, 39.9f16, f16.nan, -f16.inf, 0.3333f16] }
-- output { true true true }
entry f16s (xs: []f16) =
  let known x : [12]f16 =
    [x ** -1, x ** 0, x ** 1, x ** 2, x ** 3, x ** 4, x ** 5, x ** 6, x ** 7, x ** 8, x ** 9,
     x ** 2.5]
  let exponents : [12]f16 = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2.5]
  in (and (map (\x -> and (map2 same16 (known x) (map (x **) exponents))) xs),
      and (map (\x -> same16 (x ** 2) (x * x)) xs),
      and (map (\x -> same16 (x ** -1) (1 / x)) xs))

-- ==
-- entry: i32s
-- input { [1, 2, -3, 7, 46341, -2147483648, 2147483647, 0] } output { true }
entry i32s (xs: []i32) =
  let known x : [6]i32 = [x ** 0, x ** 1, x ** 2, x ** 3, x ** 31, x ** 1000]
  in and (map (\x -> and (map2 (==) (known x) (map (x **) [0, 1, 2, 3, 31, 1000]))) xs)
