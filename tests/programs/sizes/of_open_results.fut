-- A function's result size that was left open is known to callers if the body determines it.
def cut (l: i64) (xs: []i64) : []i64 = take l xs

-- ==
-- entry: rows
-- input { 3i64 2i64 } output { [[0i64, 1i64], [2i64, 3i64], [4i64, 5i64]] }
entry rows (n: i64) (m: i64) = unflatten (cut (n * m) (iota 12))

def (<+>) [n] [m] (_: [n * m]i64) (k: i64) = (n, m, k)

-- ==
-- entry: operator
-- input { 3i64 2i64 } output { 3i64 2i64 5i64 }
entry operator (n: i64) (m: i64) = cut (n * m) (iota 12) <+> 5

-- ==
-- entry: left_section right_section
-- input { 3i64 2i64 } output { 3i64 2i64 5i64 }
entry left_section (n: i64) (m: i64) = (cut (n * m) (iota 12) <+>) 5
entry right_section (n: i64) (m: i64) = (<+> 5) (cut (n * m) (iota 12))

-- ==
-- entry: in_lambda
-- input { 2i64 } output { [1i64, 2i64, 3i64] }
entry in_lambda (n: i64) =
  let first [a] [b] (xs: [a * b]i64) = xs[b] - b + a - 1
  in map (\i -> let m = i + 1 in first (cut (n * m) (iota 12)) + m - 1) (iota 3)

module sides (M: {val k: i64}) = {
  def cells (n: i64) : []i64 = iota (n * M.k)
  def rows (n: i64) = length (unflatten (cells n) :> [n][M.k]i64)
}
module three = sides {def k = 3i64}

-- ==
-- entry: in_module
-- input { 4i64 } output { 4i64 }
entry in_module (n: i64) = three.rows n
