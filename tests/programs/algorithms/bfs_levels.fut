-- Breadth-first levels over an adjacency matrix.
-- ==
-- input { [[false, true, false, false], [false, false, true, false], [false, false, false, false], [false, false, false, false]] }
-- output { [0, 1, 2, -1] }
entry main [n] (edges: [n][n]bool): [n]i32 =
  let start = tabulate n \i -> if i == 0 then 0i32 else -1
  in (loop (levels, level, going) = (start, 0i32, true) while going do
        let reached =
          tabulate n \j -> levels[j] < 0 && or (tabulate n \i -> levels[i] == level && edges[i, j])
        in (map2 (\l r -> if r then level + 1 else l) levels reached, level + 1, or reached)).0
