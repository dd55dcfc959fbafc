-- Joined arrays that are read by maps, at places that follow from the index.

-- An element from the left, and one from the right.
-- ==
-- entry: neighbours
-- input { [4, 2, 9, 1, 7] } output { [2i32, 2i32, 1i32, 1i32, 1i32] }
-- input { [3] } output { [3i32] }
-- input { empty([0]i32) } error: Index \[0\] out of bounds
entry neighbours [n] (d: [n]i32): [n]i32 =
  let left = [d[0]] ++ init d :> [n]i32
  let right = tail d ++ [d[n - 1]] :> [n]i32
  in map3 (\l c r -> i32.min (i32.min l c) r) left d right

-- Again and again.
-- ==
-- entry: steps
-- input { [4, 2, 9, 1, 7, -3, 8, 8, 1, 0, 5, 6, 7, 2, 3, 1, 4, 9] 4i32 } output { [336i32, 10i32, 64i32, -50i32, 147i32, 316i32, -114i32, -189i32, 240i32, 255i32, 41i32, -139i32, 7i32, 137i32, 140i32, 190i32, -6i32, -27i32] }
-- input { [4] 3i32 } output { [32i32] }
-- input { empty([0]i32) 1i32 } error: Index \[0\] out of bounds
-- input { empty([0]i32) 0i32 } output { empty([0]i32) }
entry steps [n] (d: [n]i32) (k: i32): [n]i32 =
  loop d for _i < k do
    let left = [d[0]] ++ init d :> [n]i32
    let right = tail d ++ [d[n - 1]] :> [n]i32
    in map3 (\l c r -> l + 2 * c - r) left d right

-- Borders that are no elements, read at several places.
-- ==
-- entry: around
-- input { [1f32, 10, 100, 1000] } output { [45.0f32, 404.0f32, 4021.0f32, 222.0f32] }
-- input { empty([0]f32) } output { empty([0]f32) }
-- input { [5f32] } output { [17.0f32] }
entry around [n] (d: [n]f32): [n]f32 =
  let a = [1f32, 2] ++ d ++ [3]
  in tabulate n (\i -> a[i] + 2 * a[i + 1] + 4 * a[i + 3])

-- What is behind comes first.
-- ==
-- entry: moved
-- input { [1u8, 2, 4, 8, 16] 2i64 } output { [3u8, 6u8, 12u8, 249u8, 242u8] }
-- input { [1u8, 2, 4] 0i64 } output { [0u8, 0u8, 0u8] }
-- input { [1u8, 2, 4] 3i64 } output { [0u8, 0u8, 0u8] }
-- input { [1u8, 2, 4] 4i64 } error: Index \[4:3\] out of bounds
entry moved [n] (d: [n]u8) (k: i64): [n]u8 =
  map2 (-) (drop k d ++ take k d :> [n]u8) d

-- Rows, and of each of them the elements.
-- ==
-- entry: rows
-- input { [[1i64, 2, 3], [4, 5, 6]] } output { [[217i64, 327i64, 337i64], [541i64, 652i64, 663i64]] }
-- input { [[1i64]] } output { [[117i64]] }
-- input { empty([0][3]i64) } error: Index \[0:-1\] out of bounds
-- input { empty([2][0]i64) } error: Index \[1:0\] out of bounds
entry rows [n] [m] (a: [n][m]i64): [n][m]i64 =
  let above = [replicate m 7] ++ init a :> [n][m]i64
  let right = map (\row -> tail row ++ [row[m - 1]] :> [m]i64) a
  in map3 (map3 (\x y z -> x + 10 * y + 100 * z)) above a right

-- At indices that are read, by all rows, and whole.
-- ==
-- entry: others
-- unlawful input { [1, 2, 3] [5i64, 0, 2, 3] } output { [6i32, 1i32, 3i32, 2i32] [12i32, 24i32, 36i32] [1i32, 2i32, 3i32, 9i32] [2i32, 3i32, 4i32, 10i32] }
-- input { [1, 2, 3] [6i64] } error: Index \[6\] out of bounds
entry others [n] (a: [n]i32) (is: []i64) =
  let b = a ++ map (* 2) a
  let c = [5] ++ a
  let e = a ++ [9]
  in (map (\i -> b[i]) is, map (\x -> reduce (+) x (map (* x) c)) a, e, map (+ 1) e)

-- What is joined may be overwritten afterwards.
-- ==
-- entry: overwritten
-- input { [1, 2, 3] } output { [4i32, 2i32, 3i32, 4i32] [100i32, 2i32, 3i32] }
-- input { empty([0]i32) } error: Index \[-1\] out of bounds
entry overwritten [n] (a: [n]i32): ([]i32, []i32) =
  let b = copy a
  let c = [b[n - 1]] ++ b
  let d = map (+ 1) c
  let b = b with [0] = 100
  in (d, b)
