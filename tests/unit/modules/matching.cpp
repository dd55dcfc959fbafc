// The messages when a module is not what a module type asks for.

#include "checking.h"

#include <doctest/doctest.h>

using sinter::tests::errors;

TEST_CASE("what is missing") {
  CHECK(errors("module m : { val x: i32 } = {}\n") ==
        "Module does not define a value named \"x\", which the module type requires; it is "
        "required here");
  CHECK(errors("module m : { type t } = {}\n") ==
        "Module does not define a type named \"t\", which the module type requires; it is required "
        "here");
  CHECK(errors("module m : { module n: {} } = {}\n") ==
        "Module does not define a module named \"n\", which the module type requires");
  CHECK(errors("module m : { val t: i32 } = { type t = i32 }\n") ==
        "Module does not define a value named \"t\", which the module type requires (it has a type "
        "of that name); "
        "it is required here");
  CHECK(errors("module m : { module n: { val x: i32 } } = { module n = {} }\n") ==
        "Module does not define a value named \"n.x\", which the module type requires; it is "
        "required here");
}

TEST_CASE("all differences are told at once") {
  CHECK(errors("module m : { type t val x: i32 val y: t } = { def y = 1i32 }\n") ==
        "Module does not define a type named \"t\", which the module type requires; it is required "
        "here; "
        "Module does not define a value named \"x\", which the module type requires");
}

TEST_CASE("types that differ") {
  CHECK(errors("module m : { type t = i32 } = { type t = i64 }\n") ==
        "Module defines \"type t = i64\", but module type requires \"type t = i32\"; it is "
        "required here");
  CHECK(errors("module m : { type t 'a } = { type t = i64 }\n") ==
        "Module defines type \"t\" with no parameters, but module type requires the parameter \'a; "
        "it is "
        "required here");
  CHECK(errors("module m : { type t } = { type^ t = i32 -> i32 }\n") ==
        "Module defines \"type^ t\", but module type requires a non-lifted type; it is required "
        "here");
  CHECK(errors("module m : { type^ t } = { type^ t = i32 -> i32 }\n") == "");
  CHECK(errors("module m : { type t 'a = (a, a) } = { type t 'b = (b, b) }\n") == "");
  CHECK(errors("module m : { type t type u = (t, t) } = { type t = i32 type u = (i32, i32) }\n") ==
        "");
}

TEST_CASE("values that differ") {
  CHECK(errors("module m : { val x: i32 } = { def x = true }\n")
            .starts_with(
                "Module type specifies \"val x : i32\", but module provides \"val x : bool\""));
  CHECK(errors("module m : { type t val x: t } = { type t = i32 def x = true }\n")
            .starts_with(
                "Module type specifies \"val x : i32\", but module provides \"val x : bool\""));
  CHECK(errors("module m : { val f 'a: a -> a } = { def f (x: i32) = x }\n") != "");
  CHECK(errors("module m : { val f: i32 -> i32 } = { def f 'a (x: a) = x }\n") == "");
}

TEST_CASE("parametric and not") {
  CHECK(errors("module m : (X: {}) -> {} = {}\n") ==
        "Cannot match non-parametric module with parametric module type");
  CHECK(errors("module F (X: {}) = {}\nmodule m = F : {}\n") ==
        "Cannot match parametric module with non-parametric module type");
}

TEST_CASE("the argument of an application must match the parameter") {
  CHECK(errors("module F (X: { val x: i32 }) = {}\nmodule m = F { def y = 1i32 }\n") ==
        "Module does not define a value named \"x\", which the module type requires; it is "
        "required here");
}

TEST_CASE("one mistake is reported once") {
  CHECK(errors("module m = { def x = unknown_thing }\nmodule n : { val x: i32 } = m\n"
               "def y = m.x + m.z\n") == "Unknown name \"unknown_thing\"");
}

TEST_CASE("a declared unknown size is the size that the body makes it") {
  const std::string wanted = "module m : { val f [n] : [n]i32 -> [n]i32 } = ";
  CHECK(errors(wanted + "{ def f [u] (x: [u]i32) : ?[n].[n]i32 = x }\n") == "");
  CHECK(errors(wanted + "{ def f [u] (x: [u]i32) : []i32 = map (+ 1) x }\n") == "");
  CHECK(errors(wanted + "{ def f [u] (x: [u]i32) : ?[n].[n]i32 = filter (> 0) x }\n")
            .starts_with("Module type specifies"));
  CHECK(errors("module m : { val f [n] : [n]i32 -> *[n]i32 } = "
               "{ def f [u] (x: [u]i32) : ?[n].[n]i32 = x }\n")
            .find("incompatible uniqueness") != std::string::npos);
}

TEST_CASE("sizes are members, whatever their names") {
  // An expression that calls a member.
  CHECK(
      errors("module type grows = { val g : i64 -> i64 val f : (n: i64) -> [g n]i64 }\n"
             "module a : grows = { def g (x: i64) = x + 1 def f (n: i64) = replicate (g n) 0i64 }\n"
             "def g (x: i64) = x\n"
             "def h : [a.g 2]i64 = a.f 2\n") == "");
  CHECK(
      errors("module type grows = { val g : i64 -> i64 val f : (n: i64) -> [g n]i64 }\n"
             "module a : grows = { def g (x: i64) = x + 1 def f (n: i64) = replicate (g n) 0i64 }\n"
             "def g (x: i64) = x\n"
             "def h : [g 2]i64 = a.f 2\n") != "");
  // Two applications have sizes of their own, shown or not.
  const std::string applied = "module f (P: { val k : i64 }) = {\n"
                              "  local def n = P.k\n"
                              "  def make : [n]i64 = replicate n 0\n"
                              "  def take (x: [n]i64) = length x\n"
                              "}\n"
                              "module a = f { def k = 1i64 }\n"
                              "module b = f { def k = 2i64 }\n";
  CHECK(errors(applied + "def x = a.take a.make + b.take b.make\n") == "");
  CHECK(errors(applied + "def x = a.take b.make\n") != "");
  // A type abbreviation over another constant of the same name.
  CHECK(errors(
            "def n : i64 = 2\n"
            "module a : { val n : i64 type t = [n]i64 } = { def n : i64 = 3 type t = [n]i64 }\n") ==
        "");
  CHECK(
      errors("def n : i64 = 2\n"
             "type outer = [n]i64\n"
             "module a : { val n : i64 type t = [n]i64 } = { def n : i64 = 3 type t = outer }\n") !=
      "");
  // What a parametric module hands on is what it was given.
  CHECK(errors("module type counted = { val n : i64 }\n"
               "module a = { def n : i64 = 3 }\n"
               "module f (P: counted) = { open P def x : [P.n]i64 = replicate n 0 }\n"
               "module b = f a\n"
               "def y : [a.n]i64 = b.x\n"
               "def z : [b.n]i64 = b.x\n") == "");
}
