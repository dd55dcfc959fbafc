-- A size's name means what it meant where it was written, whatever has the same name where the
-- type is used.
-- ==
-- entry: of_module_type
-- input { } output { 5u64 }

-- ==
-- entry: of_included_module_type
-- input { } output { 6i64 [7i64, 7i64, 7i64] }

-- ==
-- entry: of_applications
-- input { } output { [8i64, 8i64] [8i64, 8i64, 8i64] 2i64 3i64 }

-- ==
-- entry: of_hidden_definitions
-- input { } output { [9i64] [9i64, 9i64] }

-- ==
-- entry: wrong_application
-- input { } error: cannot match shape

-- ==
-- entry: of_modules_inside
-- input { } output { [5i64, 5i64] [5i64, 5i64, 5i64] [0i64, 1i64, 2i64] }

-- ==
-- entry: of_module_types_inside
-- input { } output { [4i64, 4i64] [4i64] }

-- ==
-- entry: of_functions
-- input { } output { [5i64, 5i64, 5i64, 5i64] [1i64, 1i64, 1i64, 1i64] [5i64, 5i64] [5i64, 5i64, 5i64] }

-- ==
-- entry: of_abbreviations
-- input { } output { [3i64, 3i64, 3i64] 6i64 }

-- ==
-- entry: of_higher_order_modules
-- input { } output { 4i64 [1i64, 1i64, 1i64, 1i64] }

-- ==
-- entry: of_opened_modules
-- input { } output { [0i64, 1i64, 2i64] [6i64, 6i64] 7i64 }

-- ==
-- entry: of_local_functions
-- input { 3i64 } output { [0i64, 1i64] [0i64, 1i64, 2i64] }

module type counted = { val n : i64 val f : [n]u64 -> u64 }
module three : counted = { def n : i64 = 3 def f (x: [n]u64) = x[n - 1] }

module type larger = { include counted val all : [n]i64 }
module larger_three : larger = {
  def n : i64 = 3
  def f (x: [n]u64) = reduce (+) 0 x
  def all = replicate n 7i64
}

module repeat (P: { val k : i64 }) = {
  def n = P.k + 1
  def make : [n]i64 = replicate n 8
  def count (x: [n]i64) = length x
}
module two_of = repeat { def k = 1i64 }
module three_of = repeat { def k = 2i64 }

module hidden (P: { val k : i64 }) = {
  local def m = P.k
  def make : [m]i64 = replicate m 9
  def again (x: [m]i64) = replicate m x[0]
}
module hidden_one = hidden { def k = 1i64 }
module hidden_two = hidden { def k = 2i64 }

module with_inside (P: { val k : i64 }) = {
  module inner = { def n = P.k }
  def make : [inner.n]i64 = replicate inner.n 5
}
module inside_two = with_inside { def k = 2i64 }
module inside_three = with_inside { def k = 3i64 }

module with_type (P: { val k : i64 }) = {
  module type filled = { val xs : [P.k]i64 }
  module value : filled = { def xs = replicate P.k 4i64 }
}
module type_two = with_type { def k = 2i64 }
module type_one = with_type { def k = 1i64 }

module type growing = { val g : i64 -> i64 val f : (n: i64) -> [g n]i64 }
module growing_one : growing = { def g (x: i64) = x + 1 def f (n: i64) = replicate (g n) 5i64 }
module plain = { def g (x: i64) = x + 1 def f (n: i64) : [g n]i64 = replicate (g n) 1i64 }
module grown (P: { val by : i64 }) = {
  def g (x: i64) = x + P.by
  def f (n: i64) : [g n]i64 = replicate (g n) 5
}
module grown_one = grown { def by = 1i64 }
module grown_two = grown { def by = 2i64 }

module abbreviated = { def n : i64 = 3 type row = [n]i64 type rows [m] = [m][n]i64 }
module type rows = { val n : i64 type row = [n]i64 val sum : row -> i64 }
module summing : rows = { def n : i64 = 3 type row = [n]i64 def sum (x: row) = i64.sum x }

module type make = { val n : i64 val ones : [n]i64 }
module type makes = { module of : (P: { val k : i64 }) -> make }
module use (M: makes) = { module made = M.of { def k = 2i64 } def ones : [made.n]i64 = made.ones }
module used = use {
  module of (P: { val k : i64 }) = { def n = P.k * 2 def ones = replicate n 1i64 }
}

module opened = {
  open { def n : i64 = 3 def count : [n]i64 = iota n }
  def old : [n]i64 = count
  open { def n : i64 = 2 def sixes : [n]i64 = replicate n 6 }
}
module of_parameter (P: counted) = { open P def given : [n]i64 -> i64 = \x -> x[n - 2] }
module given_three = of_parameter three

-- What all those names mean here.
def n : i64 = 100
def k : i64 = 101
def m : i64 = 102
def g (x: i64) = x * 103
def length_of [n] (x: [n]i64) = n
def same [n] (x: [n]i64) : [n]i64 = map (\i -> x[i]) (iota n)

entry of_module_type = three.f ([0, 4, 5] :> [three.n]u64)

entry of_included_module_type =
  (i64.u64 (larger_three.f ([1, 2, 3] :> [larger_three.n]u64)), same larger_three.all)

entry of_applications =
  (same two_of.make, same three_of.make, two_of.count two_of.make, three_of.count three_of.make)

entry of_hidden_definitions =
  (same (hidden_one.again hidden_one.make), same (hidden_two.again hidden_two.make))

entry wrong_application = two_of.count (three_of.make :> [two_of.n]i64)

entry of_modules_inside =
  (same inside_two.make, same inside_three.make, iota 3 :> [inside_three.inner.n]i64)

entry of_module_types_inside = (same type_two.value.xs, same type_one.value.xs)

entry of_functions =
  (same (growing_one.f 3), same (plain.f 3), same (grown_one.f 1), same (grown_two.f 1))

entry of_abbreviations =
  let rows : abbreviated.rows [2] = replicate 2 (replicate abbreviated.n 3)
  in (same rows[1], summing.sum (iota 3 |> map (+ 1) |> \x -> (x :> [summing.n]i64)))

entry of_higher_order_modules = (length_of used.ones, same used.ones)

entry of_opened_modules =
  (same opened.old, same opened.sixes, given_three.given ([6, 7, 8] :> [given_three.n]i64))

entry of_local_functions (p: i64) =
  let n = p
  let to_n (): [n]i64 = iota n
  let n = 2i64
  let to_2 (): [n]i64 = iota n
  in (same (to_2 ()), same (to_n ()))
