// Programs built as the community's libraries are: modules over modules over modules.

#include "checking.h"

#include <doctest/doctest.h>

using sinter::tests::Checked;
using sinter::tests::errors;

TEST_CASE("random numbers: engines over integers, distributions over engines") {
  const std::string library = R"(
module type engine = {
  module word: integral
  type state
  val start: i32 -> state
  val step: state -> (state, word.t)
  val largest: word.t
}
module type distribution = {
  module engine: engine
  module number: numeric
  type range
  val draw: range -> engine.state -> (engine.state, number.t)
}
module congruential (W: integral) (P: { val a: W.t val c: W.t })
  : engine with word.t = W.t with state = W.t = {
  module word = W
  type state = W.t
  def start (seed: i32) : state = W.i32 seed
  def step (s: state) : (state, W.t) = let s = W.(P.a * s + P.c) in (s, s)
  def largest = W.highest
}
module integers (N: integral) (E: engine)
  : distribution with number.t = N.t with engine.state = E.state with range = (N.t, N.t) = {
  module engine = E
  module number = N
  type range = (N.t, N.t)
  def to_number (w: E.word.t) : N.t = N.i64 (E.word.to_i64 w)
  def draw ((low, high): range) (s: E.state) : (E.state, N.t) =
    let (s, w) = E.step s
    in (s, N.(low + to_number w %% (high - low + i32 1)))
}
module reals (R: real) (E: engine)
  : distribution with number.t = R.t with engine.state = E.state with range = (R.t, R.t) = {
  module engine = E
  module number = R
  type range = (R.t, R.t)
  def draw ((low, high): range) (s: E.state) =
    let (s, w) = E.step s
    let part = R.i64 (E.word.to_i64 w)
    let whole = R.i64 (E.word.to_i64 E.largest)
    let x = R.(part / whole)
    in (s, R.(low + x * (high - low)))
}
module minstd = congruential u32 { def a = 48271u32 def c = 0u32 }
module dice = integers i8 minstd
module unit = reals f32 minstd
)";
  Checked program(library + "def roll (seed: i32) : i8 = (dice.draw (1, 6) (minstd.start seed)).1\n"
                            "def both seed = let (s, a) = dice.draw (1, 6) (minstd.start seed)\n"
                            "                let (_, b) = unit.draw (0, 1) s in (a, b)\n");
  CHECK(program.type_of("both") == "i32 -> (i8, f32)");
  CHECK(program.messages() == "");
}

TEST_CASE("containers: maps over keys, with contexts and sizes in their types") {
  CHECK(errors(R"(
module type key = { type key type ctx val less: ctx -> key -> key -> bool }
module type map = {
  type key
  type~ map 'v
  val empty 'v: () -> map v
  val from_array [n] 'v: [n](key, v) -> map v
  val lookup 'v: key -> map v -> #some v | #none
  val to_array 'v: map v -> ?[n].[n](key, v)
}
module array_map (K: key with ctx = ()) : map with key = K.key = {
  type key = K.key
  type~ map 'v = [](key, v)
  def empty 'v () : map v = []
  def from_array [n] 'v (xs: [n](key, v)) : map v = xs
  def lookup 'v (k: key) (m: map v) : #some v | #none =
    loop found : #some v | #none = #none for (l, v) in m do
      if K.less () k l || K.less () l k then found else #some v
  def to_array 'v (m: map v) : [](key, v) = m
}
module ints = array_map { type key = i32 type ctx = () def less () (a: i32) (b: i32) = a < b }
def m = ints.from_array [(1, true), (2, false)]
def f k = match ints.lookup k m case #some v -> v case #none -> false
def n = length (ints.to_array m)
)") == "");
}

TEST_CASE("linear algebra: one functor over a field, used through another") {
  CHECK(errors(R"(
module type field = { type t val zero: t val (+): t -> t -> t val (*): t -> t -> t }
module type matrices = {
  type t
  val dot [n]: [n]t -> [n]t -> t
  val matmul [n] [p] [m]: [n][p]t -> [p][m]t -> *[n][m]t
}
module mk_matrices (F: field) : matrices with t = F.t = {
  type t = F.t
  def dot [n] (xs: [n]t) (ys: [n]t) : t = F.(reduce (+) zero (map2 (*) xs ys))
  def matmul [n] [p] [m] (xss: [n][p]t) (yss: [p][m]t) : *[n][m]t =
    map (\xs -> map (dot xs) (transpose yss)) xss
}
module mk_power (F: field) = {
  module m = mk_matrices F
  def square [n] (xss: [n][n]F.t) = m.matmul xss xss
}
module f64_field = { type t = f64 def zero = 0f64 open f64 }
module p = mk_power { open f64 def zero = i32 0 }
module q = mk_power (f64_field : field with t = f64)
def a : [2][2]f64 = p.square [[1, 2], [3, 4]]
def b : [2][2]f64 = q.square [[1, 2], [3, 4]]
)") == "");
}

TEST_CASE("sorting: functions over records of functions, opened modules") {
  CHECK(errors(R"(
module sorting = {
  def by_key [n] 't 'k (key: t -> k) (less: k -> k -> bool) (xs: [n]t) : [n]t =
    loop xs = copy xs for i < n do
      let m = loop m = i for j in i ... n - 1 do if less (key xs[j]) (key xs[m]) then j else m
      let a = copy xs[i]
      let xs[i] = copy xs[m]
      let xs[m] = a
      in xs
}
open sorting
def sorted = by_key (.0) (i32.<) [(3, true), (1, false)]
)") == "");
}
