-- Many tridiagonal systems of 256 unknowns, each by elimination and substitution (Thomas).
import "common"

def solve [m] (below: [m]f32) (above: [m]f32) (right: [m]f32) : [m]f32 =
  let (c, d) =
    loop (c, d) = (replicate m 0, replicate m 0) for j < m do
      let diagonal = 2 + f32.abs below[j] + f32.abs above[j]
      let (c', d') = if j == 0 then (0, 0) else (c[j - 1], d[j - 1])
      let pivot = diagonal - below[j] * c'
      in (c with [j] = above[j] / pivot, d with [j] = (right[j] - below[j] * d') / pivot)
  in loop x = d for i < m - 1 do
       let j = m - 2 - i
       in x with [j] = x[j] - c[j] * x[j + 1]

entry input (n: i64) =
  let numbers (s: u64) = tabulate_2d n 256 (\i j -> uniform s (256 * i + j))
  in (map (map (\x -> x - 0.5)) (numbers 1), map (map (\x -> x - 0.5)) (numbers 2), numbers 3)

entry kernel [n] [m] (below: [n][m]f32) (above: [n][m]f32) (right: [n][m]f32) : [n][m]f32 =
  map3 solve below above right

entry checksum [n] [m] (x: [n][m]f32) = digest_f32 (flatten x)
