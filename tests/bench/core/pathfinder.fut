-- The cheapest ways down through a grid of costs.
import "common"

entry input (n: i64) = tabulate_2d 1000 n (\r j -> below 1 (r * n + j) 10)

entry kernel [rows] [n] (costs: [rows][n]i32) : [n]i32 =
  loop d = copy costs[0] for r in 1..<rows do
    tabulate n (\j ->
      let left = d[i64.max 0 (j - 1)]
      let right = d[i64.min (n - 1) (j + 1)]
      in costs[r, j] + i32.min (i32.min left d[j]) right)

entry checksum [n] (d: [n]i32) = digest_i32 d
