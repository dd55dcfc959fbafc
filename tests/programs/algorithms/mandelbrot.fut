-- ==
-- input { 5i64 20i32 } output { [[1, 2, 2, 2, 2], [1, 3, 6, 5, 2], [20, 20, 20, 20, 3], [1, 3, 6, 5, 2], [1, 2, 2, 2, 2]] }
def escape (limit: i32) (cr: f64) (ci: f64): i32 =
  let (_, _, n) =
    loop (x, y, n) = (0f64, 0f64, 0) while n < limit && x * x + y * y <= 4 do
      (x * x - y * y + cr, 2 * x * y + ci, n + 1)
  in n
entry main (n: i64) (limit: i32) =
  tabulate_2d n n \i j ->
    escape limit (3 * f64.i64 j / f64.i64 (n - 1) - 2) (3 * f64.i64 i / f64.i64 (n - 1) - 1.5)
