// Modules: what names mean in the modules that are really supplied.
#include "tests/unit/core/program.h"

#include <doctest/doctest.h>

using sinter::tests::resolved;

TEST_CASE("a parametric module is applied") {
  CHECK(resolved("module type number = { type t val one: t val add: t -> t -> t }\n"
                 "module twice (N: number) = { def two = N.add N.one N.one }\n"
                 "module whole = twice { type t = i32 def one = 1i32 def add (a: i32) b = a + b }\n"
                 "module half = twice { type t = f32 def one = 0.5f32 def add (a: f32) b = a + b }\n"
                 "def main = (whole.two, half.two)") == "");
}

TEST_CASE("abstract types mean what the supplied module says") {
  CHECK(resolved("module type box = { type t val mk: i32 -> t val get: t -> i32 }\n"
                 "module m : box = { type t = {v: i32} def mk v : t = {v} def get (b: t) = b.v }\n"
                 "module use (B: box) = { def through (x: i32) = map B.get [B.mk x] }\n"
                 "module u = use m\n"
                 "def main (x: i32) = (u.through x, m.get (m.mk x))") == "");
}

TEST_CASE("a higher-order parametric module") {
  CHECK(resolved("module type value = { val x: i32 }\n"
                 "module type change = { module F: (V: value) -> value }\n"
                 "module both (C: change) = { module r = C.F { def x = 1i32 } def y = r.x + 1 }\n"
                 "module b = both { module F (V: value) = { def x = V.x * 10 } }\n"
                 "def main = b.y") == "");
}

TEST_CASE("a module shows no more than its module type") {
  // `helper` of the sealed module must not shadow the outer one.
  CHECK(resolved("module type s = { val x: i32 }\n"
                 "def helper = 1i32\n"
                 "module m : s = { def helper = 2i32 def x = helper }\n"
                 "def main = (m.(x + helper), helper)") == "");
}

TEST_CASE("the parameter of a parametric module shows no more than its module type") {
  CHECK(resolved("module type s = { val x: i32 }\n"
                 "module f (P: s) = { def conv (y: i32) = y + 1 def x = P.(conv x) }\n"
                 "module a = f (f { def x = 5i32 })\n"
                 "def main = a.x") == "");
}

TEST_CASE("later declarations hide earlier ones, opened modules too") {
  CHECK(resolved("def x = 1i32\n"
                 "module m = { def x = 2i32 local def y = 9i32 }\n"
                 "def before = x\n"
                 "open m\n"
                 "def y = x\n"
                 "def x = x + 1\n"
                 "def main = (before, y, x)") == "");
}

TEST_CASE("operators of a module shadow those of the language") {
  CHECK(resolved("def main (x: i32) =\n"
                 "  let (+) (a: i32) (b: i32) = a * b in x + x + i32.(x + x)") == "");
}
