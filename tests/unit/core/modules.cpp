// Modules: what names mean in the modules that are really supplied.
#include "tests/unit/core/program.h"

#include <doctest/doctest.h>

using sinter::tests::resolved;

TEST_CASE("a parametric module is applied") {
  CHECK(
      resolved("module type number = { type t val one: t val add: t -> t -> t }\n"
               "module twice (N: number) = { def two = N.add N.one N.one }\n"
               "module whole = twice { type t = i32 def one = 1i32 def add (a: i32) b = a + b }\n"
               "module half = twice { type t = f32 def one = 0.5f32 def add (a: f32) b = a + b }\n"
               "def main = (whole.two, half.two)") == "main = @main\n"
                                                      "@main = (record @two @two'2)\n"
                                                      "@two = (add @one @one)\n"
                                                      "@two'2 = (add'2 @one'2 @one'2)\n"
                                                      "add %0 %1 = (i32.add %0! %1!)\n"
                                                      "add'2 %0 %1 = (f32.add %0! %1!)\n"
                                                      "@one = 1i32\n"
                                                      "@one'2 = 0.5f32\n");
}

TEST_CASE("abstract types mean what the supplied module says") {
  CHECK(resolved("module type box = { type t val mk: i32 -> t val get: t -> i32 }\n"
                 "module m : box = { type t = {v: i32} def mk v : t = {v} def get (b: t) = b.v }\n"
                 "module use (B: box) = { def through (x: i32) = map B.get [B.mk x] }\n"
                 "module u = use m\n"
                 "def main (x: i32) = (u.through x, m.get (m.mk x))") ==
        "main %0 = (record (through %0) (get (mk %0!)))\n"
        "through %0 = (array.map get [(mk %0!) : []{v: i32} 1i64] : []i32 1i64)\n"
        "get %0 = %0!.0\n"
        "mk %0 = (record %0!)\n");
}

TEST_CASE("a higher-order parametric module") {
  CHECK(resolved("module type value = { val x: i32 }\n"
                 "module type change = { module F: (V: value) -> value }\n"
                 "module both (C: change) = { module r = C.F { def x = 1i32 } def y = r.x + 1 }\n"
                 "module b = both { module F (V: value) = { def x = V.x * 10 } }\n"
                 "def main = b.y") == "main = @main\n"
                                      "@main = @y\n"
                                      "@y = (i32.add @x 1i32)\n"
                                      "@x = (i32.mul @x'2 10i32)\n"
                                      "@x'2 = 1i32\n");
}

TEST_CASE("a module shows no more than its module type") {
  // `helper` of the sealed module must not shadow the outer one.
  CHECK(resolved("module type s = { val x: i32 }\n"
                 "def helper = 1i32\n"
                 "module m : s = { def helper = 2i32 def x = helper }\n"
                 "def main = (m.(x + helper), helper)") ==
        "main = @main\n"
        "@main = (record (i32.add @x @helper) @helper)\n"
        "@x = @helper'2\n"
        "@helper = 1i32\n"
        "@helper'2 = 2i32\n");
}

TEST_CASE("the parameter of a parametric module shows no more than its module type") {
  CHECK(resolved("module type s = { val x: i32 }\n"
                 "module f (P: s) = { def conv (y: i32) = y + 1 def x = P.(conv x) }\n"
                 "module a = f (f { def x = 5i32 })\n"
                 "def main = a.x") == "main = @main\n"
                                      "@main = @x\n"
                                      "@x = (conv @x'2)\n"
                                      "conv %0 = (i32.add %0! 1i32)\n"
                                      "@x'2 = (conv'2 @x'3)\n"
                                      "conv'2 %0 = (i32.add %0! 1i32)\n"
                                      "@x'3 = 5i32\n");
}

TEST_CASE("later declarations hide earlier ones, opened modules too") {
  CHECK(resolved("def x = 1i32\n"
                 "module m = { def x = 2i32 local def y = 9i32 }\n"
                 "def before = x\n"
                 "open m\n"
                 "def y = x\n"
                 "def main = (before, y, x)") == "main = @main\n"
                                                 "@main = (record @before @y @x)\n"
                                                 "@before = @x'2\n"
                                                 "@y = @x\n"
                                                 "@x = 2i32\n"
                                                 "@x'2 = 1i32\n");
}

TEST_CASE("operators of a module shadow those of the language") {
  CHECK(resolved("module m = { def (a: i32) + (b: i32) = a * b }\n"
                 "def main (x: i32) = m.(x + x) + x") == "main %0 = (i32.add (+ %0 %0) %0!)\n"
                                                         "+ %0 %1 = (i32.mul %0! %1!)\n");
}

TEST_CASE("a size of a module type is the supplied module's, whatever has its name") {
  CHECK(resolved("module type m = { val n : i64 val f : [n]i32 -> [n]i32 }\n"
                 "module a : m = { def n : i64 = 3 def f (x: [n]i32) = map (+ 1) x }\n"
                 "def n : i64 = 2\n"
                 "def main (x: []i32) = (a.f (x :> [a.n]i32), n)") ==
        "main %1 = (record (f (coerce %1! {[0] == @n})) @n'2)\n"
        "f %0 = (array.map (closure lambda 1i32) %0! : []i32 @n)\n"
        "@n = 3i64\n"
        "@n'2 = 2i64\n"
        "lambda %0 = (i32.add %0! ^0)\n");
  CHECK(resolved("module f (P: { val k : i64 }) = { def n = P.k def m : [n]i32 = replicate n 0 }\n"
                 "module a = f { def k = 1i64 }\n"
                 "module b = f { def k = 2i64 }\n"
                 "def main (x: []i32) = (x :> [a.n]i32, x :> [b.n]i32)") ==
        "main %1 = (record (coerce %1 {[0] == @n}) (coerce %1! {[0] == @n'2}))\n"
        "@n = @k\n"
        "@n'2 = @k'2\n"
        "@k = 1i64\n"
        "@k'2 = 2i64\n");
}
