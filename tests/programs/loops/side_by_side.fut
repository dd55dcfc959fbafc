-- Sequences that are computed side by side, in loops over their elements whose rounds map over the
-- sequences: what is carried is a row, or matrices of which a round writes a row each.

-- ==
-- entry: products
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [[1, 4], [2, 20], [6, 120]] [6, 120] }
-- input { empty([0][3]i32) }
-- output { empty([3][0]i32) empty([0]i32) }
-- input { empty([2][0]i32) }
-- output { empty([0][2]i32) [1, 1] }
entry products [n] [m] (a: [n][m]i32) : ([m][n]i32, [n]i32) =
  let at = transpose a
  in loop (t, r) = (replicate m (replicate n 0), replicate n 1) for k < m do
       let s = map2 (*) at[k] r
       in (t with [k] = s, copy s)

-- ==
-- entry: backwards
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [[-4, 5, 3], [-112, 29, 6]] }
entry backwards [n] [m] (a: [n][m]i32) : [n][m]i32 =
  let t =
    loop t = copy (transpose a) for i < m - 1 do
      let k = m - 2 - i
      in t with [k] = tabulate n (\j -> a[j, k] + t[k + 1, j] * a[j, 0] * (if k == 0 then -1 else 1))
  in transpose t

-- ==
-- entry: one_then_another
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [[1, 2, 7], [4, 23, 142]] }
entry one_then_another [n] [m] (a: [n][m]i32) : [n][m]i32 =
  let t =
    loop t = replicate m (replicate n 0) for k < m do
      t with [k] = tabulate n (\j -> a[j, k] * (if k == 0 then 1 else t[k - 1, j]))
  let u =
    loop u = copy t for k < m - 1 do
      u with [k + 1] = map2 (+) t[k + 1] (map2 (-) u[k] (map (const 1) t[k]))
  in transpose u

-- ==
-- entry: of_neighbours
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [54, 171] }
entry of_neighbours [n] [m] (a: [n][m]i32) : [n]i32 =
  loop r = replicate n 1 for k < m do
    tabulate n (\j -> a[j, k] * r[j] + r[(j + 1) % n])
