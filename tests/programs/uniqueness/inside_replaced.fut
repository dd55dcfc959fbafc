-- The inside of an array is replaced by what a map makes of its neighbours.

-- Of a copy.
-- ==
-- entry: smoothed
-- input { [1, 2, 3, 5, 8, 13] } output { [1i32, 2i32, 3i32, 5i32, 8i32, 13i32] [1i32, 8i32, 13i32, 21i32, 34i32, 13i32] }
-- input { [1, 2] } output { [1i32, 2i32] [1i32, 2i32] }
-- input { [1] } error: Index \[0:-1\] out of bounds
-- input { empty([0]i32) } error: Index \[0:-2\] out of bounds
entry smoothed [n] (xs: [n]i32): ([n]i32, [n]i32) =
  let m = n - 2
  let part (i: i64) = xs[i:i + m] :> [m]i32
  in (xs, copy xs with [1:n - 1] = map3 (\a b c -> a + 2 * b + c) (part 0) (part 1) (part 2))

-- Again and again, of what nobody else needs.
-- ==
-- entry: steps
-- input { [[1f32, 2, 3, 4], [5, 1, 7, 8], [9, 10, 11, 12], [3, 2, 1, 0]] 3i32 } output { [[1.0f32, 2.0f32, 3.0f32, 4.0f32], [5.0f32, 7.0f32, 10.0f32, 8.0f32], [9.0f32, 13.5f32, 12.5f32, 12.0f32], [3.0f32, 2.0f32, 1.0f32, 0.0f32]] }
-- input { [[1f32, 2], [3, 4]] 2i32 } output { [[1.0f32, 2.0f32], [3.0f32, 4.0f32]] }
-- input { empty([3][0]f32) 1i32 } error: Index \[0:1, 1:-1\] out of bounds
-- input { empty([3][0]f32) 0i32 } output { empty([3][0]f32) }
entry steps [n] [m] (xs: *[n][m]f32) (k: i32): [n][m]f32 =
  loop xs for _i < k do
    let (h, w) = (n - 2, m - 2)
    let part (i: i64) (j: i64) = xs[i:i + h, j:j + w] :> [h][w]f32
    in xs with [1:n - 1, 1:m - 1] =
         map4 (map4 (\a b c d -> if a < b then a + c else b / 2 + d)) (part 0 1) (part 2 1) (part 1 0) (part 1 2)

-- Whole rows, all but the first ones.
-- ==
-- entry: running
-- input { [[1i64, 2], [3, 4], [5, 6], [7, 8]] } output { [[1i64, 2i64], [3i64, 4i64], [4i64, 6i64], [8i64, 10i64]] }
-- input { [[1i64, 2], [3, 4]] } output { [[1i64, 2i64], [3i64, 4i64]] }
-- input { [[1i64]] } error: Index \[0:-1\] out of bounds
entry running [n] [m] (xs: *[n][m]i64): *[n][m]i64 =
  xs with [2:n] = map2 (map2 (+)) (xs[0:n - 2] :> [n - 2][m]i64) (xs[1:n - 1] :> [n - 2][m]i64)

-- The border is overwritten, too.
-- ==
-- entry: bordered
-- input { [1, 2, 4, 8, 16] 4i32 } output { [1i32, -13i32, 19i32, -7i32, 1i32] }
-- input { [5] 2i32 } output { [5i32] }
-- input { empty([0]i32) 1i32 } error: Index \[0:-1\] out of bounds
entry bordered [n] (xs: *[n]i32) (k: i32): [n]i32 =
  loop xs for _i < k do
    let ys = xs with [1:n] = map2 (\a b -> a - b) (xs[0:n - 1] :> [n - 1]i32) (xs[1:n] :> [n - 1]i32)
    in ys with [0] = ys[n - 1]

-- What is not read of it; half of it; what is needed otherwise.
-- ==
-- entry: others
-- input { [1, 2, 3, 4, 5] [5, 6, 7, 8, 9] } output { [7i32, 8i32, 9i32, 10i32, 5i32] [9i32, 10i32, 7i32, 8i32, 9i32] [18i32, 21i32, 24i32, 27i32] }
-- input { [1] [2] } output { [1i32] [2i32] empty([0]i32) }
-- input { empty([0]i32) empty([0]i32) } error: Index \[1:0\] out of bounds
entry others [n] (xs: *[n]i32) (ys: [n]i32): ([n]i32, [n]i32, []i32) =
  let zs = map (* 3) ys[1:n]
  let h = n / 2
  let us = copy ys with [0:h] = (map (+ 1) ys[n - h:n] :> [h]i32)
  in (xs with [0:n - 1] = map (+ 1) ys[1:n], us, zs)
