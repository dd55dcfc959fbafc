-- Sizes of members through refinements, applications inside applications, aliases and modules that
-- are parameters.
-- ==
-- entry: refined
-- input { } output { [5i64, 5i64] 7i64 }

-- ==
-- entry: lengths
-- input { } output { 4i64 6i64 8i64 6i64 6i64 }

-- ==
-- entry: totals
-- input { } output { 7i64 12i64 50i64 }

-- ==
-- entry: polymorphic
-- input { } output { [1i64, 1i64, 1i64, 1i64, 1i64, 1i64] 16i64 [3i64, 3i64, 3i64, 3i64, 3i64, 3i64] }

-- ==
-- entry: in_records_and_sums
-- input { } output { [1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64] 8i64 }

-- ==
-- entry: of_parameter
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] } output { 6i64 }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] } error: cannot match shape

-- ==
-- entry: of_prelude
-- input { } output { 6i64 9i64 }

-- ==
-- entry: of_module_parameters
-- input { } output { 4i64 101i64 }

-- ==
-- entry: of_sealed_inside
-- input { } output { [0i64, 1i64, 2i64] }

def length_of [k] (_: [k]i64) = k
def same [k] (x: [k]i64) : [k]i64 = map (\i -> x[i]) (iota k)

module doubled = {
  def n : i64 = 4
  module type s = { val n : i64 val make : i64 -> [n]i64 }
  module f (P: { val n : i64 }) : s = { def n = P.n * 2 def make (x: i64) = replicate n x }
}

module type maker = { type t val n : i64 val make : i64 -> t val first : t -> i64 }
def size : i64 = 2
module two : maker with t = [size]i64 = {
  type t = [size]i64
  def make x : t = replicate size x
  def size : i64 = 7
  def n : i64 = 3
  def first (x: t) = x[0] + length x
}

module both (P: maker with t = i64) (Q: { val n : i64 val g : [n]i64 -> i64 }) = {
  module R = doubled.f { def n = P.n + Q.n }
  type row = [R.n]i64
  def make : row = R.make (P.make 2)
  def total (x: row) = Q.g (take Q.n (x :> [Q.n + (R.n - Q.n)]i64)) + R.n
  def sums [k] (x: [k][R.n]i64) : [R.n]i64 = map i64.sum (transpose x)
  def all 'a (x: a) : [R.n]a = replicate R.n x
  def twice (x: [R.n]i64) : [R.n * 2]i64 = (x ++ x) :> [R.n * 2]i64
  type pair = {x: [R.n]i64, y: #some ([R.n]i64) | #none}
  def pair : pair = {x = all 1, y = #some (all 2)}
}
module P1 = { type t = i64 def n : i64 = 1 def make (x: i64) = x def first (x: i64) = x }
module P2 = { type t = i64 def n : i64 = 2 def make (x: i64) = x * 10 def first (x: i64) = x }
module Q1 = { def n : i64 = 1 def g (x: [n]i64) = i64.sum x + n }
module Q2 : { val n : i64 val g : [n]i64 -> i64 } = {
  def n : i64 = 2
  def g (x: [n]i64) = i64.sum x + n
}
module both_1_1 = both P1 Q1
module both_1_2 = both P1 Q2
module both_2_2 = both P2 Q2
module both_2 = both P2
module both_2_1 = both_2 Q1
module alias = both_1_2
module sealed : { type row val make : row val total : row -> i64 } = both_2_2

module use (M: (X: { val n : i64 }) -> doubled.s) (Y: { val n : i64 }) = {
  module Z = M Y
  def z : [Z.n]i64 = Z.make Y.n
}
module used = use doubled.f Q2
module used_lambda =
  use (\(X: { val n : i64 }) -> { def n = X.n + 100 def make (x: i64) = replicate n x }) Q1

module types = { module type t = { val n : i64 module inner : { val k : [n]i64 } } }
module of_type : types.t = {
  def n : i64 = 3
  module inner = { def k = iota n def n : i64 = 9 }
}

def n : i64 = 100

entry refined = (same (two.make 5), two.first (two.make 5))

entry lengths =
  ( length_of both_1_1.make
  , length_of both_1_2.make
  , length_of both_2_2.make
  , length_of both_2_1.make
  , length_of alias.make
  )

entry totals =
  (both_1_1.total both_1_1.make, both_1_2.total alias.make, sealed.total sealed.make)

entry polymorphic =
  ( same (both_1_2.all 1i64)
  , length_of (both_2_2.twice (both_2_2.all 3))
  , same (both_1_2.sums [alias.all 1, both_1_2.make])
  )

entry in_records_and_sums =
  let {x, y} = both_2_2.pair
  in (same x, match y case #some z -> length_of z case #none -> 0)

entry of_parameter (x: [both_1_2.R.n]i64) = length_of (same x)

entry of_prelude =
  let f (k: i64) : [i64.max k both_1_2.R.n]i64 = iota (i64.max k both_1_2.R.n)
  in (length_of (f 2), length_of (f 9))

entry of_module_parameters = (length_of used.z, length_of (same used_lambda.z))

entry of_sealed_inside = same of_type.inner.k
