-- ==
-- entry: sums
-- input { [1, 2, 3, 4] } output { 10 24 0 }
entry sums (xs: []i32) = (reduce (+) 0 xs, reduce (*) 1 xs, reduce (+) 0 (take 0 xs))
-- ==
-- entry: left_to_right
-- input { 10i64 } output { 89i64 }
entry left_to_right (n: i64) =
  -- matrix products do not commute
  let multiply (a: (i64, i64, i64, i64)) (b: (i64, i64, i64, i64)) =
    (a.0 * b.0 + a.1 * b.2, a.0 * b.1 + a.1 * b.3, a.2 * b.0 + a.3 * b.2, a.2 * b.1 + a.3 * b.3)
  in (reduce multiply (1, 0, 0, 1) (replicate n (1, 1, 1, 0))).0
-- ==
-- entry: vectors
-- input { [[1, 2], [3, 4], [5, 6]] } output { [9, 12] }
entry vectors [n] (xss: [][n]i32) = reduce (map2 (+)) (replicate n 0) xss

-- An operator that fails for some of its operands.
-- ==
-- entry: failing
-- input { 200i64 5i64 } error: assertion
-- input { 200i64 300i64 } output { 19900i64 }
entry failing (n: i64) (bad: i64) =
  reduce (\x y -> if y == bad then assert false 1 else x + y) 0 (iota n)
