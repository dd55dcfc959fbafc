-- `import "sinter/sequence"`: sequences of arrays of different sizes, against loops.

import "sinter/sequence"

-- Sums of what `produce` makes, with empty arrays among it.
-- ==
-- entry: triangles
-- input { 0i64 } output { empty([0]i64) empty([0]i64) 0i64 }
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64] [0i64, 0i64, 1i64, 3i64, 6i64] 10i64 }
entry triangles (n: i64) : ([]i64, []i64, i64) =
  let s = sequence.produce n iota
  let sums = sequence.reduce_each (\k (xs: [k]i64) -> i64.sum xs) s
  in (s.sizes, sums, sequence.fold (+) 0 (\k (xs: [k]i64) -> i64.sum xs) s)

-- Each part of an array turned around, and its odd elements alone.
-- ==
-- entry: parts
-- input { [2i64, 0i64, 3i64] [1, 2, 3, 4, 5] }
-- output { [2, 1, 5, 4, 3] [1i64, 0i64, 2i64] [1, 5, 3] [2i64, 0i64, 3i64] }
-- input { [2i64, 1i64] [1, 2] } error: i64.sum sizes == m
-- input { [-1i64, 3i64] [1, 2] } error: i64.sum sizes == m
entry parts (sizes: []i64) (xs: []i32) : ([]i32, []i64, []i32, []i64) =
  let s = sequence.split_at sizes xs
  let turned = sequence.map (\k (xs: [k]i32) -> reverse xs) s
  let odd = sequence.map (\k (xs: [k]i32) -> filter (\x -> x % 2 == 1) xs) turned
  let odd_elements = sequence.elements odd
  let elements = sequence.elements turned
  in (elements, odd.sizes, odd_elements, turned.sizes)

-- A sparse matrix, its rows as a sequence, times a vector.
-- ==
-- entry: sparse_product
-- input { [2i64, 0i64, 1i64] [0i64, 2i64, 1i64] [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] }
-- output { [201.0, 0.0, 30.0] }
entry sparse_product [n] (sizes: []i64) (columns: [n]i64) (values: [n]f64) (x: []f64) : []f64 =
  let rows = sequence.split_at sizes (zip columns values)
  in sequence.reduce_each (\k (row: [k](i64, f64)) -> f64.sum (map (\(j, a) -> a * x[j]) row)) rows

-- Windows, whole ones only.
-- ==
-- entry: means
-- input { 2i64 1i64 [1.0, 3.0, 5.0] } output { [2.0, 4.0] }
-- input { 2i64 2i64 [1.0, 3.0, 5.0] } output { [2.0] }
-- input { 4i64 1i64 [1.0, 3.0, 5.0] } output { empty([0]f64) }
-- input { 0i64 1i64 [1.0] } error: size > 0
entry means (size: i64) (step: i64) (xs: []f64) : []f64 =
  sequence.reduce_each (\k (w: [k]f64) -> f64.sum w / f64.i64 k) (sequence.windows size step xs)

-- Two sequences of different lengths, and matrices of parts.
-- ==
-- entry: two
-- input { } output { [1, 10, 20, 2, 3] [3i64, 2i64] [[1, 10], [2, 3]] 2i64 0i64 }
entry two : ([]i32, []i64, [][]i32, i64, i64) =
  let a = sequence.split_at [1, 2, 1] [1, 2, 3, 4]
  let b = sequence.split_at [2, 0] [10, 20]
  let both = sequence.map2 (\k (xs: [k]i32) l (ys: [l]i32) -> xs ++ ys) a b
  let elements = sequence.elements both
  let table = sequence.tabulate both
  let none = sequence.produce 0 (\_ -> [1i32])
  let empty_table = sequence.tabulate none
  in (elements, both.sizes, table, sequence.length both, length empty_table)
