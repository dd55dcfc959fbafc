-- Elements of small rows, each by its place: points, pixels, matrices, blocks of words, however
-- many, and however they lie in memory.

def points (n: i64) (seed: i64) : [n][3]f32 =
  tabulate_2d n 3 (\i k -> f32.i64 ((i * 31 + k * 17 + seed) % 64) / 8)

-- | The sum of a row's elements by their places is that of a loop.
def agrees [n] [m] (xss: [n][m]i64) (sums: [n]i64) : bool =
  and (map2 (\xs s -> s == (loop s = 0 for j < m do s + xs[j] * (j + 1))) xss sums)

-- ==
-- entry: rows
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 31i64 } output { true }
-- input { 32i64 } output { true }
-- input { 257i64 } output { true }
-- input { 4099i64 } output { true }
entry rows (n: i64) : bool =
  let row m i = tabulate m (\k -> (i * 7919 + k * 104729) % 1000 - 500)
  let (twos, fives) = (tabulate n (row 2), tabulate n (row 5))
  let sixteens = tabulate n (row 16)
  in agrees twos (map (\p -> p[0] + p[1] * 2) twos)
     && agrees fives (map (\p -> p[0] + p[1] * 2 + p[2] * 3 + p[3] * 4 + p[4] * 5) fives)
     && agrees sixteens (map (\p -> p[0] + p[1] * 2 + p[2] * 3 + p[3] * 4 + p[4] * 5 + p[5] * 6
                                    + p[6] * 7 + p[7] * 8 + p[8] * 9 + p[9] * 10 + p[10] * 11
                                    + p[11] * 12 + p[12] * 13 + p[13] * 14 + p[14] * 15
                                    + p[15] * 16) sixteens)

-- ==
-- entry: crossed
-- input { 3i64 }
-- output { [[-2.125f32, 4.25f32, -2.125f32], [5.875f32, -3.75f32, -2.125f32], [-2.125f32, -36.75f32, 21.875f32]] }
-- input { 0i64 } output { empty([0][3]f32) }
entry crossed (n: i64) : [n][3]f32 =
  map2 (\p q -> [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]])
       (points n 1) (points n 9)

-- Where rows lie apart, or backwards.
-- ==
-- entry: elsewhere
-- input { 5i64 } output { true }
-- input { 100i64 } output { true }
entry elsewhere (n: i64) : bool =
  let ps = points n 5
  let by_columns = transpose (copy (transpose ps))
  let length (p: [3]f32) = p[0] * p[0] + p[1] * p[1] + p[2] * p[2]
  let expected = map (\i -> ps[i, 0] ** 2 + ps[i, 1] ** 2 + ps[i, 2] ** 2) (iota n)
  in and (map2 (==) expected (map length by_columns))
     && and (map2 (==) (reverse expected) (map length (reverse ps)))
     && and (map2 (==) (expected[1:n]) (map length (ps[1:n])))

-- ==
-- entry: grey
-- input { [[[10u8, 20u8, 30u8], [255u8, 255u8, 255u8]], [[0u8, 1u8, 2u8], [200u8, 100u8, 0u8]]] }
-- output { [[20u8, 255u8], [1u8, 106u8]] }
entry grey [n] [m] (image: [n][m][3]u8) : [n][m]u8 =
  map (map (\p -> u8.i32 ((i32.u8 p[0] * 5 + i32.u8 p[1] * 9 + i32.u8 p[2] * 4 + 17) / 18))) image

-- ==
-- entry: determinants
-- input { [[[2i32, 0i32, 1i32], [1i32, 3i32, 2i32], [1i32, 1i32, 1i32]], [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32], [7i32, 8i32, 9i32]]] }
-- output { [0i32, 0i32] }
-- input { [[[2i32, 0i32, 0i32], [0i32, 3i32, 0i32], [0i32, 0i32, 4i32]]] } output { [24i32] }
entry determinants [n] (ms: [n][3][3]i32) : [n]i32 =
  map (\m -> m[0, 0] * (m[1, 1] * m[2, 2] - m[1, 2] * m[2, 1])
             - m[0, 1] * (m[1, 0] * m[2, 2] - m[1, 2] * m[2, 0])
             + m[0, 2] * (m[1, 0] * m[2, 1] - m[1, 1] * m[2, 0])) ms
