-- Sums down a few columns, whose elements lie side by side, written as reductions and as loops.
-- ==
-- entry: sums
-- input { 0i64 3i64 } output { [0i64, 0i64, 0i64] }
-- input { 1i64 1i64 } output { [0i64] }
-- input { 300i64 0i64 } output { empty([0]i64) }
-- input { 300i64 1i64 } output { [44850i64] }
-- input { 300i64 3i64 } output { [134550i64, 134850i64, 135150i64] }

-- ==
-- entry: agree
-- input { 0i64 2i64 } output { true }
-- input { 1000i64 1i64 } output { true }
-- input { 1000i64 2i64 } output { true }
-- input { 999i64 15i64 } output { true }
-- input { 65i64 17i64 } output { true }
-- input { 63i64 200i64 } output { true }
-- input { 4097i64 33i64 } output { true }

def matrix (n: i64) (m: i64) : [n][m]i64 = unflatten (iota (n * m))

entry sums (n: i64) (m: i64) : []i64 =
  let a = matrix n m
  in map (\i -> i64.sum (map (\j -> a[j, i]) (iota n))) (iota m)

entry agree (n: i64) (m: i64) : bool =
  let a = map (map (\x -> f32.i64 (x * x % 1009) * 0.1f32)) (matrix n m)
  let is = map (map (\x -> x * x % 1009)) (matrix n m)
  let by_reduction = map (\i -> i64.sum (map (\j -> is[j, i]) (iota n))) (iota m)
  let by_loop = map (\i -> loop s = 0i64 for j < n do s + is[j, i]) (iota m)
  let by_rows = reduce (map2 (+)) (replicate m 0) is
  let floats = map (\i -> f32.sum (map (\j -> a[j, i]) (iota n))) (iota m)
  let columns = map f32.sum (transpose a)
  in and (map2 (==) by_reduction by_loop) && and (map2 (==) by_reduction by_rows)
     && and (map2 (==) floats columns)
