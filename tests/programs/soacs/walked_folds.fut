-- Folds of what no kernel computes, since a loop's array changes its size: they too take elements in
-- the order that sizes alone decide, which the bits of sums tell.

-- | About 1/k, by way of an array that grows.
def inverse (k: i64) : f32 =
  1 / f32.i64 (1 + i64.sum (loop xs = [] for i < k % 4 + 1 do xs ++ [i + k]))

-- ==
-- entry: sum
-- input { 0i64 } output { 0u32 }
-- input { 1i64 } output { 1065353216u32 }
-- input { 64i64 } output { 1077265647u32 }
-- input { 65i64 } output { 1077330175u32 }
-- input { 5000i64 } output { 1084457447u32 }
entry sum (n: i64) : u32 = f32.to_bits (f32.sum (map inverse (iota n)))

-- ==
-- entry: prefixes
-- input { 5000i64 [0i64, 63i64, 64i64, 4095i64, 4096i64, 4999i64] }
-- output { [1065353216u32, 1077265647u32, 1077330175u32, 1084239623u32, 1084240135u32, 1084457447u32] }
entry prefixes (n: i64) (places: []i64) : []u32 =
  let sums = scan (+) 0 (map inverse (iota n))
  in map (\place -> f32.to_bits sums[place]) places

-- ==
-- entry: pairs
-- input { 5000i64 }
-- output { [1084457447u32, 1066795150u32] }
entry pairs (n: i64) : [2]u32 =
  map f32.to_bits
      (reduce (map2 (+)) [0, 0] (map (\k -> let x = inverse k in [x, x * x]) (iota n)))

-- ==
-- entry: bins
-- input { 300i64 }
-- output { [1076131706u32, 1065979021u32] }
-- input { 8200i64 }
-- output { [1080758670u32, 1071177622u32] }
entry bins (n: i64) : [2]u32 =
  map f32.to_bits (hist (+) 0 2 (map (% 2) (iota n)) (map inverse (iota n)))
