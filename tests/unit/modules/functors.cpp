// Parametric modules, sealing, and what is equal to what.

#include "checking.h"

#include <doctest/doctest.h>

using sinter::tests::Checked;
using sinter::tests::errors;

namespace {

const std::string container = "module type container = {\n"
                              "  type t\n"
                              "  val empty: t\n"
                              "  val add: i32 -> t -> t\n"
                              "}\n"
                              "module sum : container = {\n"
                              "  type t = i32\n"
                              "  def empty : t = 0\n"
                              "  def add (x: i32) (y: t) : t = x + y\n"
                              "}\n"
                              "module twice (C: container) = {\n"
                              "  type t = C.t\n"
                              "  def add (x: i32) (s: t) : t = C.add x (C.add x s)\n"
                              "}\n";

} // namespace

TEST_CASE("sealing hides what a type is") {
  CHECK(errors(container + "def x : sum.t = sum.add 1 sum.empty\n") == "");
  CHECK(errors(container + "def x : i32 = sum.empty\n") != "");
  CHECK(errors("module m : { type t = i32 val x: t } = { type t = i32 def x : t = 1 }\n"
               "def y : i32 = m.x\n") == "");
}

TEST_CASE("sealing hides members and polymorphism") {
  Checked program("module m : { val f: i32 -> i32 } = { def f 'a (x: a) = x def g = 1i32 }\n");
  CHECK(program.type_of("m.f") == "i32 -> i32");
  CHECK(program.type_of("m.g") == "");
}

TEST_CASE("an application gives the argument's types") {
  Checked program(container + "module t = twice sum\n"
                              "def x : sum.t = t.add 1 sum.empty\n");
  CHECK(program.type_of("t.add") == "i32 -> sum.t -> sum.t");
  CHECK(program.messages() == "");
}

TEST_CASE("each application makes its own abstract types") {
  const std::string fresh = "module make (X: {}) : { type t val x: t } = "
                            "{ type t = i32 def x : t = 1 }\n"
                            "module a = make {}\nmodule b = make {}\n";
  CHECK(errors(fresh + "def f : a.t = a.x\n") == "");
  CHECK(errors(fresh + "def f : a.t = b.x\n") != "");
  // Also those that the body makes without sealing all of itself.
  const std::string inner = "module make (X: {}) = "
                            "{ module m : { type t val x: t } = { type t = i32 def x : t = 1 } }\n"
                            "module a = make {}\nmodule b = make {}\n";
  CHECK(errors(inner + "def f : a.m.t = a.m.x\n") == "");
  CHECK(errors(inner + "def f : a.m.t = b.m.x\n") != "");
  // And those to which no name leads.
  const std::string hidden = "module make (X: {}) = {"
                             " local module m : { type t val x: t val f: t -> i32 } = "
                             "{ type t = i32 def x : t = 1 def f (x: t) = x }"
                             " def x = m.x def f = m.f }\n"
                             "module a = make {}\nmodule b = make {}\n";
  CHECK(errors(hidden + "def y : i32 = a.f a.x\n") == "");
  CHECK(errors(hidden + "def y : i32 = a.f b.x\n") != "");
}

TEST_CASE("two parameters of one module type have different types") {
  CHECK(errors(container + "module both (A: container) (B: container) = "
                           "{ def f (x: A.t) : A.t = A.add 1 x }\n"
                           "module m = both sum sum\n"
                           "def x : sum.t = m.f sum.empty\n") == "");
  CHECK(errors(container + "module both (A: container) (B: container) = "
                           "{ def f (x: A.t) : B.t = x }\n") != "");
}

TEST_CASE("a parameter can depend on one before it") {
  CHECK(errors(container + "module both (A: container) (B: container with t = A.t) = "
                           "{ def f (x: A.t) : B.t = B.add 1 (A.add 2 x) }\n"
                           "module m = both sum sum\n"
                           "def x : sum.t = m.f sum.empty\n") == "");
}

TEST_CASE("parametric modules take and give parametric modules") {
  CHECK(errors(container +
               "module use (F: (C: container) -> { val f: C.t -> C.t }) (C: container) = {\n"
               "  module m = F C\n"
               "  def go (x: C.t) : C.t = m.f x\n"
               "}\n"
               "module add_one (C: container) = { def f (x: C.t) : C.t = C.add 1 x }\n"
               "module m = use add_one sum\n"
               "def x : sum.t = m.go sum.empty\n") == "");
  CHECK(errors(container + "module curry = \\(A: container) -> \\(B: container) -> "
                           "{ def f (x: A.t) (y: B.t) = (x, y) }\n"
                           "module partly = curry sum\n"
                           "module m = partly sum\n"
                           "def x : (sum.t, sum.t) = m.f sum.empty sum.empty\n") == "");
}

TEST_CASE("a parametric module matches a parametric module type contravariantly") {
  const std::string use = "module use (F: (X: { type t val x: t }) -> { type u val y: u }) = {\n"
                          "  module m = F { type t = i32 def x : i32 = 1 }\n"
                          "  def y : m.u = m.y\n"
                          "}\n";
  CHECK(errors(use + "module less (X: { type t }) = { type u = X.t def y : bool = true "
                     "type unused = i32 }\nmodule m = use less\n") != "");
  CHECK(errors(use + "module right (X: { type t val x: t }) = { type u = (X.t, bool) "
                     "def y : u = (X.x, true) }\nmodule m = use right\n") == "");
  CHECK(errors(use + "module more (X: { type t val x: t val z: t }) = { type u = X.t "
                     "def y : u = X.z }\nmodule m = use more\n") ==
        "in the parameter of the parametric module: Module does not define a value named \"z\", "
        "which the "
        "module type requires; it is required here");
}

TEST_CASE("refinement with `with`") {
  CHECK(errors("module type pair = { type a type b 'x val x: a val y: b a }\n"
               "module m : pair with a = i32 with b 'x = (x, x) = "
               "{ type a = i32 type b 'x = (x, x) def x : i32 = 1 def y : (i32, i32) = (1, 2) }\n"
               "def z : (i32, i32) = m.y\n") == "");
  CHECK(errors("module type s = { type t [n] val f [n]: t [n] -> i64 }\n"
               "module m : s with t [n] = [n]i32 = "
               "{ type t [n] = [n]i32 def f [n] (_: t [n]) = n }\n"
               "def z : i64 = m.f [1, 2, 3]\n") == "");
  CHECK(
      errors("module type s = { module inner: { type t val x: t } }\n"
             "module m : s with inner.t = i32 = { module inner = { type t = i32 def x = 1i32 } }\n"
             "def z : i32 = m.inner.x\n") == "");
  CHECK(errors("module type s = { type t = i32 }\nmodule type r = s with t = i64\n") ==
        "\"t\" is not an abstract type in the module type");
  CHECK(errors("module type s = { type t }\nmodule type r = s with u = i64\n") ==
        "Unknown type \"u\" in the module type");
  CHECK(errors("module type s = { type t }\nmodule type r = s with t = i64 with t = i64\n") ==
        "\"t\" is not an abstract type in the module type");
  CHECK(errors("module type s = { type t 'a }\nmodule type r = s with t = i64\n") ==
        "Cannot refine a type having type parameter 'a with a type having no type parameters");
  CHECK(errors("module type s = { type t '^a }\nmodule type r = s with t 'a = a\n") ==
        "Cannot refine a type having type parameter '^a with a type having type parameter 'a");
  CHECK(errors("module type s = { type t 'a }\nmodule type r = s with t '^a = a\n") == "");
}

TEST_CASE("include adds a module type's members to another's") {
  CHECK(errors("module type a = { type t val x: t }\n"
               "module type b = { include a with t = i32 val f: t -> t }\n"
               "module m : b = { type t = i32 def x = 1i32 def f (y: i32) = y }\n"
               "def z : i32 = m.f m.x\n") == "");
}

TEST_CASE("a module type can be local to a module") {
  CHECK(errors("module m = { module type s = { type t val x: t } }\n"
               "module n : m.s = { type t = i32 def x = 1i32 }\n"
               "def y : n.t = n.x\n") == "");
  CHECK(errors("module make (X: { type t }) = { module type s = { val x: X.t } }\n"
               "module m = make { type t = i32 }\n"
               "module n : m.s = { def x = 1i32 }\n"
               "def y : i32 = n.x\n") == "");
}

TEST_CASE("sizes that are members of a module") {
  CHECK(
      errors("module type sized = { val n: i64 type t = [n]i32 val xs: [n]i32 }\n"
             "module m : sized = { def n = 2i64 type t = [n]i32 def xs : [n]i32 = [1, 2] :> [n]i32 }\n"
             "module F (S: sized) = { def zs : [S.n]i32 = S.xs def f (ys: S.t) : [S.n]i32 = ys }\n"
             "module f = F m\n"
             "def a : [m.n]i32 = f.f m.xs\n") == "");
}

TEST_CASE("only parametric modules can be applied") {
  CHECK(errors("module m = {}\nmodule n = m {}\n") == "Cannot apply non-parametric module");
  CHECK(errors("module m = intrinsics\n") ==
        "The 'intrinsics' module may not be used in module expressions");
}
