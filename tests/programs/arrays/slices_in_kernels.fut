-- Stencils by slices: rows without gaps, with gaps, backwards, and of one element.

def around [n] [m] (k: i64) (xs: [n][m]i32) : [][]i32 =
  let (h, w) = (n - 2, m - 2)
  let part (i: i64) (j: i64) = xs[i:i + h, j:j + w] :> [h][w]i32
  let sums = map4 (map4 (\a b c d -> a + 10 * b + 100 * c + 1000 * d))
                  (part 0 1) (part 2 1) (part 1 0) (part 1 2)
  let by_steps = xs[1:1 + h, ::k]
  in map2 (\sum i -> map (+ i32.sum by_steps[i]) sum) sums (iota h)

-- ==
-- entry: sums
-- input { 3i64 3i64 } output { true }
-- input { 3i64 40i64 } output { true }
-- input { 17i64 33i64 } output { true }
-- input { 33i64 3i64 } output { true }
entry sums (n: i64) (m: i64) : bool =
  let xs = tabulate_2d n m (\i j -> i32.i64 (i * 31 + j * 7) % 13)
  let is_right (k: i64) =
    let found = around k xs :> [n - 2][m - 2]i32
    let row i = i32.sum (xs[i, ::k])
    let expected = tabulate_2d (n - 2) (m - 2) (\i j ->
      xs[i, j + 1] + 10 * xs[i + 2, j + 1] + 100 * xs[i + 1, j] + 1000 * xs[i + 1, j + 2]
      + row (i + 1))
    in and (map2 (==) (flatten found) (flatten expected))
  in all is_right [1, 2, -1]
