-- Halves that a loop carries, compared with a constant inside of a branch.

entry main [n] [m] (rows: [n][m]f16) (others: [n][m]f16) (limits: [n]f16) =
  unzip (map3 (\row (other: [m]f16) limit ->
    loop (_s, t) = (1.5f16, 1.5f16) for k < m do
      let x = row[m - 1 - k]
      let y = if limit < 4.5f16 then (if 3.5f16 < t then 7 else other[k]) else x * other[k]
      in (x, y)) rows others limits)

-- ==
-- entry: main
-- input { [[3f16], [2f16], [5f16], [1f16]] [[0f16], [2f16], [3f16], [4f16]] [0f16, 1f16, 5f16, 4.5f16] }
-- output { [3f16, 2f16, 5f16, 1f16] [0f16, 2f16, 15f16, 4f16] }
-- input { [[3f16, 1f16, 2f16], [2f16, 6f16, 1f16]] [[0f16, 4f16, 1f16], [2f16, 2f16, 3f16]] [0f16, 1f16] }
-- output { [3f16, 2f16] [7f16, 3f16] }
