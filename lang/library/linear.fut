-- | Linear algebra with dense matrices.
--
-- `linear` is for `f64`, `linear_f32` for `f32`.  For many small problems map over them:
-- `map2 linear.solve matrices sides`.  In what is claimed of errors, `epsilon` is the type's, and
-- norms are Frobenius norms.  Squares of the numbers must neither overflow nor vanish.

import "sort"

local module make_linear
  (F: float)
  (Sort: {val indices [n] : (xs: [n]F.t) -> *[n]i64}) = {
  local type t = F.t
  local def zero = F.i32 0
  local def one = F.i32 1

  -- | The inner product of two vectors: `linear.dot [1, 2, 3] [4, 5, 6]` is `32`.
  def dot [n] (xs: [n]t) (ys: [n]t) : t = F.sum (map2 (F.*) xs ys)

  -- | The product of two matrices: `linear.product [[1, 2], [3, 4]] [[5, 6], [7, 8]]` is
  -- `[[19, 22], [43, 50]]`.
  def product [n] [m] [k] (a: [n][k]t) (b: [k][m]t) : *[n][m]t =
    map (\row -> map (dot row) (transpose b)) a

  -- | The product of a matrix and a vector: `linear.apply [[1, 2], [3, 4]] [5, 6]` is `[17, 39]`.
  def apply [n] [m] (a: [n][m]t) (x: [m]t) : *[n]t = map (dot x) a

  -- | The matrix with ones on its diagonal: `linear.identity 2` is `[[1, 0], [0, 1]]`.
  def identity (n: i64) : *[n][n]t = tabulate_2d n n (\i j -> if i == j then one else zero)

  -- | As many columns are eliminated before the rest of a matrix is updated by a product.
  local def block : i64 = 32

  -- | `x` with `l x = b`, where `l` is lower triangular with ones on its diagonal.
  local def solve_unit_lower [n] [m] (l: [n][n]t) (b: *[n][m]t) : *[n][m]t =
    loop x = b for i < n do
      let row = tabulate m (\c -> loop rest = x[i, c] for j < i do rest F.- l[i, j] F.* x[j, c])
      in x with [i] = row

  -- | Gaussian elimination in a few columns, with the greatest element of a column as its pivot.
  -- Also the rows' order.
  local def eliminate [m] [w] (columns: *[m][w]t) : (*[m][w]t, *[m]i64) =
    loop (a, order) = (columns, iota m) for j < w do
      let better (x: t, i: i64) (y: t, k: i64) =
        if k == -1 || (i != -1 && (x F.> y || (!(y F.> x) && i < k))) then (x, i) else (y, k)
      let candidates = tabulate m (\i -> if i < j then (zero, -1) else (F.abs a[i, j], i))
      let (_, pivot) = reduce better (zero, -1) candidates
      let (upper, lower) = (copy a[j], copy a[pivot])
      let (first, second) = (copy order[j], copy order[pivot])
      let a = a with [j] = lower
      let a = a with [pivot] = upper
      let order = order with [j] = second
      let order = order with [pivot] = first
      let factor (x: t) = if lower[j] F.== zero then zero else x F./ lower[j]
      let rest =
        tabulate_2d (m - j - 1) (w - j) (\i c ->
          let f = factor a[j + 1 + i, j]
          in if c == 0 then f else a[j + 1 + i, j + c] F.- f F.* lower[j + c])
      in (a with [j + 1:m, j:w] = rest, order)

  -- | Both triangles in one matrix, and the rows' order.
  local def eliminate_all [n] (a: [n][n]t) : (*[n][n]t, *[n]i64) =
    loop (a, order) = (copy a, iota n) for step < (n + block - 1) / block do
      let k = step * block
      let e = i64.min n (k + block)
      let (panel, rows) = eliminate (copy a[k:n, k:e])
      let moved = map (\i -> a[k + i]) rows
      let new_order = map (\i -> order[k + i]) rows
      let a = a with [k:n] = moved
      let a = a with [k:n, k:e] = panel
      let right = solve_unit_lower (panel[:e - k] :> [e - k][e - k]t) (copy a[k:e, e:n])
      let a = a with [k:e, e:n] = right
      let rest = map2 (map2 (F.-)) a[e:n, e:n] (product (panel[e - k:] :> [n - e][e - k]t) right)
      in (a with [e:n, e:n] = rest, order with [k:n] = new_order)

  -- | A row's elements times those of a vector from index `from` to below `to`, taken from `x`.
  local def less_products [n] (from: i64) (to: i64) (row: [n]t) (v: [n]t) (x: t) : t =
    x F.- F.sum (map2 (F.*) row[from:to] v[from:to])

  -- | `x` with `u x = b`, where `u` is upper triangular (what is below does not matter).
  local def solve_upper [n] (u: [n][n]t) (b: [n]t) : *[n]t =
    loop x = copy b for k < n do
      let i = n - 1 - k
      in x with [i] = copy (less_products (i + 1) n u[i] x x[i] F./ u[i, i])

  -- | `x` with `l x = b`, where `l` is lower triangular; on its diagonal are ones if it `has_ones`.
  local def solve_lower [n] (has_ones: bool) (l: [n][n]t) (b: [n]t) : *[n]t =
    loop x = copy b for i < n do
      let rest = less_products 0 i l[i] x x[i]
      in x with [i] = copy (if has_ones then rest else rest F./ l[i, i])

  -- | A lower triangular matrix with ones on its diagonal, an upper one, and an order of rows, so
  -- that row `i` of the product of the two is row `order[i]` of `a`.
  -- `(linear.lu [[1, 2], [2, 2]]).order` is `[1, 0]`.
  --
  -- Gaussian elimination with partial pivoting.  The product differs from the rows by at most
  -- `n * epsilon` times the product of the two with all numbers taken positive (Higham, Accuracy
  -- and Stability of Numerical Algorithms, 9.3).
  def lu [n] (a: [n][n]t) : {lower: [n][n]t, upper: [n][n]t, order: [n]i64} =
    let (both, order) = eliminate_all a
    let lower (i: i64) (j: i64) = if i == j then one else if i > j then both[i, j] else zero
    let upper (i: i64) (j: i64) = if i <= j then both[i, j] else zero
    in {lower = tabulate_2d n n lower, upper = tabulate_2d n n upper, order}

  -- | `x` with `a x = b`: `linear.solve [[2, 1], [1, 3]] [3, 5]` is `[0.8, 1.4]`.  Not finite where
  -- `a` is singular.
  --
  -- By `lu`.  `a x` differs from `b` by at most `3 * n * epsilon * norm a * norm x`, unless
  -- elimination makes numbers grow, as it hardly ever does.
  def solve [n] (a: [n][n]t) (b: [n]t) : *[n]t =
    let (both, order) = eliminate_all a
    in solve_upper both (solve_lower true both (map (\i -> b[i]) order))

  -- | `x` with `a x = b` for each column of `b`:
  -- `linear.solve_matrix [[2, 0], [0, 4]] [[2, 4], [4, 8]]` is `[[1, 2], [1, 2]]`.
  def solve_matrix [n] [m] (a: [n][n]t) (b: [n][m]t) : *[n][m]t =
    let (both, order) = eliminate_all a
    let column (x: [n]t) = solve_upper both (solve_lower true both (map (\i -> x[i]) order))
    in copy (transpose (map column (transpose b)))

  -- | The inverse of a matrix: `linear.inverse [[2, 0], [0, 4]]` is `[[0.5, 0], [0, 0.25]]`.
  def inverse [n] (a: [n][n]t) : *[n][n]t = solve_matrix a (identity n)

  -- | The determinant of a matrix: `linear.determinant [[1, 2], [3, 4]]` is `-2`.
  def determinant [n] (a: [n][n]t) : t =
    let (both, order) = eliminate_all a
    -- Each swap changes the sign: a cycle of `k` places is made of `k - 1` swaps.
    let (_, odd) =
      loop (order, odd) = (order, false) for i < n do
        loop (order, odd) while order[i] != i do
          let j = copy order[i]
          let next = copy order[j]
          let order = order with [j] = j
          in (order with [i] = next, !odd)
    let product = F.product (map (\i -> both[i, i]) (iota n))
    in if odd then F.neg product else product

  -- | The lower triangular matrix whose product with its transpose is `a`, which must be symmetric
  -- (only its lower half is read) and positive definite: else there are numbers that are none.
  -- `linear.cholesky [[4, 2], [2, 5]]` is `[[2, 0], [1, 2]]`.
  --
  -- The product differs from `a` by at most `(n + 1) * epsilon` times the sum of its diagonal
  -- (Higham, 10.1.1).
  def cholesky [n] (a: [n][n]t) : *[n][n]t =
    let small [w] (a: *[w][w]t) : *[w][w]t =
      loop a for j < w do
        let row = copy a[j]
        let d = F.sqrt (row[j] F.- F.sum (map (\x -> x F.* x) row[:j]))
        let column =
          tabulate (w - j) (\i ->
            if i == 0 then d
            else (a[j + i, j] F.- F.sum (map2 (F.*) a[j + i, :j] row[:j])) F./ d)
        in a with [j:w, j] = column
    let below [w] (l: [w][w]t) (row: [w]t) : [w]t =
      loop x = copy row for j < w do
        x with [j] = copy (less_products 0 j l[j] x x[j] F./ l[j, j])
    let both =
      loop a = copy a for step < (n + block - 1) / block do
        let k = step * block
        let e = i64.min n (k + block)
        let corner = small (copy a[k:e, k:e])
        let panel = map (below (corner :> [e - k][e - k]t)) a[e:n, k:e]
        let a = a with [k:e, k:e] = corner
        let a = a with [e:n, k:e] = panel
        let rest = map2 (map2 (F.-)) a[e:n, e:n] (product panel (transpose panel))
        in a with [e:n, e:n] = rest
    in tabulate_2d n n (\i j -> if i >= j then both[i, j] else zero)

  -- | Householder's reflections that make columns (given as rows) triangular: the columns after
  -- them, and the vectors of the first `count` reflections with their factors.
  local def reflect [n] [m] (count: i64) (columns: *[n][m]t) : (*[n][m]t, *[count][m]t, *[count]t) =
    loop (columns, vs, factors) =
      (columns, replicate count (replicate m zero), replicate count zero) for k < count do
      let x = tabulate m (\i -> if i < k then zero else columns[k, i])
      let norm = F.sqrt (F.sum (map (\x -> x F.* x) x))
      let diagonal = if x[k] F.> zero then F.neg norm else norm
      let v = map (\i -> if i == k then x[i] F.- diagonal else x[i]) (iota m)
      let squares = F.sum (map (\x -> x F.* x) v)
      let factor = if squares F.== zero then zero else F.i32 2 F./ squares
      let rest =
        map (\(column: [m]t) : [m - k]t ->
          let f = factor F.* F.sum (map2 (F.*) v[k:m] column[k:m])
          in map2 (\x y -> x F.- f F.* y) column[k:m] v[k:m])
          columns[k + 1:n]
      let columns = columns with [k + 1:n, k:m] = rest
      let columns = columns with [k, k] = diagonal
      in (columns, vs with [k] = v, factors with [k] = factor)

  -- | A matrix with orthonormal columns and an upper triangular one whose product is `a`, which has
  -- at least as many rows as columns.
  -- `map (map f64.round) (linear.qr [[3, 1], [4, 2]]).r` is `[[-5, -2], [0, 0]]`.
  --
  -- By Householder's reflections: the product differs from `a` by at most `n * m * epsilon` times
  -- its norm, and so does the product of `q` with its transpose from the identity (Higham, 19.3).
  def qr [m] [n] (a: [m][n]t) : {q: [m][n]t, r: [n][n]t} =
    let (columns, vs, factors) = reflect (assert (m >= n) n) (copy (transpose a))
    let r = tabulate_2d n n (\i j -> if i <= j then columns[j, i] else zero)
    let units = tabulate_2d n m (\i j -> if i == j then one else zero)
    let q =
      loop q = units for step < n do
        let k = n - 1 - step
        in map (\column ->
             let f = factors[k] F.* F.sum (map2 (F.*) vs[k] column)
             in map2 (\x y -> x F.- f F.* y) column vs[k]) q
    in {q = transpose q, r}

  -- | The `x` for which `a x` is nearest to `b`, where `a` has independent columns, and no more of
  -- them than rows.
  -- `map f64.round (linear.least_squares [[1, 0], [1, 1], [1, 2]] [1, 3, 5])` is `[1, 2]`.
  --
  -- By reflections, which is stable: `x` is the solution for a matrix and a vector that differ from
  -- `a` and `b` by at most `m * n * epsilon` of their norms (Higham, 20.3).
  def least_squares [m] [n] (a: [m][n]t) (b: [m]t) : *[n]t =
    let (columns, _, _) = reflect (assert (m >= n) n) (transpose a ++ [b])
    let r = tabulate_2d n n (\i j -> columns[j, i])
    in solve_upper r (columns[n, :n] :> [n]t)

  -- | Whom `x` meets in a round of a tournament of all with all: with an odd number, and with one
  -- that there is not, nobody (which is `x`).  There are `rounds n`.
  local def rounds (n: i64) : i64 = i64.max 1 (n + n % 2 - 1)
  local def partner (n: i64) (round: i64) (x: i64) : i64 =
    let last = rounds n
    let other =
      if x == last then round
      else if x == round then last
      else (2 * round - x + last) % last
    in if other >= n then x else other

  -- | Cosine and sine of the rotation of a pair that makes the product of its two, `pq`, vanish.
  local def rotation (pp: t) (qq: t) (pq: t) : (t, t) =
    let theta = (qq F.- pp) F./ (F.i32 2 F.* pq)
    let tangent =
      F.copysign one theta F./ (F.abs theta F.+ F.sqrt (theta F.* theta F.+ one))
    let cosine = F.recip (F.sqrt (tangent F.* tangent F.+ one))
    in if F.isnan tangent then (one, zero) else (cosine, cosine F.* tangent)

  -- | The eigenvalues of a symmetric matrix (only its lower half is read) in ascending order, and
  -- orthonormal eigenvectors as columns.
  -- `(linear.symmetric_eigen [[2, 0], [0, 1]]).values` is `[1, 2]`.
  --
  -- By Jacobi's rotations of `n / 2` pairs at once (Golub and Van Loan, Matrix Computations, 8.5):
  -- values are wrong by at most `10 * n * epsilon` times the norm of `a`.  The time grows with the
  -- third power of `n`, with a greater factor than other ways have.
  def symmetric_eigen [n] (a: [n][n]t) : {values: [n]t, vectors: [n][n]t} =
    let a = tabulate_2d n n (\i j -> if i >= j then a[i, j] else a[j, i])
    let norm = F.sqrt (F.sum (map (\x -> x F.* x) (flatten a)))
    let outside [k] (a: [k][k]t) =
      F.maximum (flatten (tabulate_2d k k (\i j -> if i == j then zero else F.abs a[i, j])))
    let (a, vectors, _) =
      loop (a: [n][n]t, vectors: [n][n]t, sweep) = (a, identity n, 0i64)
      while sweep < 40 && outside a F.> F.epsilon F.* F.f64 0.01 F.* norm do
        let (a, vectors) =
          loop (a: [n][n]t, vectors: [n][n]t) = (a, vectors) for round < rounds n do
            let turn (x: i64) =
              let y = partner n round x
              let (p, q) = (i64.min x y, i64.max x y)
              let (c, s) = if p == q then (one, zero) else rotation a[p, p] a[q, q] a[q, p]
              in (y, c, if x == p then F.neg s else s)
            let turns = tabulate n turn
            let element (i: i64) (j: i64) =
              let (k, ci, si) = turns[i]
              let (l, cj, sj) = turns[j]
              in if k == j && i != j then zero
                 else cj F.* (ci F.* a[i, j] F.+ si F.* a[k, j])
                      F.+ sj F.* (ci F.* a[i, l] F.+ si F.* a[k, l])
            let vector (i: i64) (j: i64) =
              let (k, c, s) = turns[i]
              in c F.* vectors[i, j] F.+ s F.* vectors[k, j]
            in (tabulate_2d n n element, tabulate_2d n n vector)
        in (a, vectors, sweep + 1)
    let values = map (\i -> a[i, i]) (iota n)
    let order = Sort.indices values
    in {values = map (\i -> values[i]) order, vectors = transpose (map (\i -> vectors[i]) order)}

  -- | Singular values in descending order, and the matrices with orthonormal columns `u` and `v` of
  -- singular vectors: `u`, with its columns times the values, times the transpose of `v` makes `a`,
  -- which has at least as many rows as columns (else take its transpose).  Where a value is 0, the
  -- column of `u` is too.  `(linear.svd [[0, 2], [3, 0]]).values` is `[3, 2]`.
  --
  -- By Hestenes' one-sided rotations of pairs of columns (Golub and Van Loan, 8.6.3): values are
  -- wrong by at most `10 * n * epsilon` times the norm of `a`, small ones of matrices with columns
  -- of different size far less.
  def svd [m] [n] (a: [m][n]t) : {u: [m][n]t, values: [n]t, v: [n][n]t} =
    let columns = copy (transpose a)
    let (columns, v, _, _) =
      loop (columns: [n][m]t, v: [n][n]t, sweep, is_done) =
        (assert (m >= n) columns, identity n, 0i64, n < 2)
      while sweep < 40 && !is_done do
        let (columns, v, largest) =
          loop (columns: [n][m]t, v: [n][n]t, largest) = (columns, v, zero) for round < rounds n do
            let turn (x: i64) =
              let y = partner n round x
              let (p, q) = (i64.min x y, i64.max x y)
              let (pp, qq, pq) =
                (dot columns[p] columns[p], dot columns[q] columns[q], dot columns[p] columns[q])
              let size = F.abs pq F./ F.sqrt (pp F.* qq)
              let is_small = p == q || !(size F.> F.epsilon)
              let (c, s) = if is_small then (one, zero) else rotation pp qq pq
              in (y, c, if x == p then F.neg s else s, if is_small then zero else size)
            let turns = tabulate n turn
            let turned [k] (rows: [n][k]t) : *[n][k]t =
              map2 (\(y, c, s, _) row -> map2 (\a b -> c F.* a F.+ s F.* b) row rows[y]) turns rows
            in (turned columns, turned v, F.max largest (F.maximum (map (.3) turns)))
        in (columns, v, sweep + 1, largest F.== zero)
    let norms = map (\column -> F.sqrt (dot column column)) columns
    let order = reverse (Sort.indices norms)
    let values = map (\i -> norms[i]) order
    let unit (i: i64) =
      map (\x -> if norms[i] F.== zero then zero else x F./ norms[i]) columns[i]
    in {u = transpose (map unit order), values, v = transpose (map (\i -> v[i]) order)}
}

module linear = make_linear f64 sort_f64

module linear_f32 = make_linear f32 sort_f32
