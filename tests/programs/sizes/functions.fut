-- ==
-- entry: inner
-- input { [1, 2] } output { [1, 2] [true] }
entry inner (xs: []i32) =
  let same [m] 't (a: [m]t) : [m]t = a
  in (same xs, same [true])

-- ==
-- entry: dependent
-- input { 2i64 } output { [0i64, 0i64] }
def make (f: (n: i64) -> [n]i64) (k: i64) : [k]i64 = f k
entry dependent (k: i64) = make (\n -> replicate n 0) k

-- ==
-- entry: returned
-- input { 2i64 } output { [0i64, 1i64] }
def build (f: i64 -> []i64) (k: i64) : []i64 = f k
entry returned (k: i64) = build (\n -> iota n) k

-- ==
-- entry: recursive
-- input { [1, 2, 3] } output { 6 }
def total [n] (xs: [n]i32) : i32 = if n == 0 then 0 else xs[0] + total (tail xs)
entry recursive (xs: []i32) = total xs

-- ==
-- entry: through_module
-- input { 3i64 } output { 3i64 }
module m : { type v [n] val mk : (n: i64) -> v [n] val len [n] : v [n] -> i64 } = {
  type v [n] = [n]bool
  def mk n = replicate n true
  def len [n] (_: v [n]) = n
}
entry through_module (n: i64) = m.len (m.mk n)

-- ==
-- entry: expression
-- input { [1, 2, 3, 4] } output { [[1, 2], [3, 4]] }
def pairs [n] (xs: [n * 2]i32) : [n][2]i32 = unflatten xs
entry expression (xs: [4]i32) = pairs (xs :> [2 * 2]i32)

-- ==
-- entry: maybe
-- input { true [1, 2] } output { 2i64 }
-- input { false [1, 2] } output { 0i64 }
type opt [n] = #none | #some ([n]i32)
entry maybe [n] (b: bool) (xs: [n]i32) =
  let o : opt [n] = if b then #some xs else #none
  in match o case #some ys -> length ys case #none -> 0
