// The messages when a module is not what a module type asks for.

#include "checking.h"

#include <doctest/doctest.h>

using sinter::tests::errors;

TEST_CASE("what is missing") {
  CHECK(errors("module m : { val x: i32 } = {}\n") ==
        "the module has no value `x`, which the module type requires; it is required here");
  CHECK(errors("module m : { type t } = {}\n") ==
        "the module has no type `t`, which the module type requires; it is required here");
  CHECK(errors("module m : { module n: {} } = {}\n") ==
        "the module has no module `n`, which the module type requires");
  CHECK(errors("module m : { val t: i32 } = { type t = i32 }\n") ==
        "the module has no value `t`, which the module type requires (it has a type of that name); "
        "it is required here");
  CHECK(errors("module m : { module n: { val x: i32 } } = { module n = {} }\n") ==
        "the module has no value `n.x`, which the module type requires; it is required here");
}

TEST_CASE("all differences are told at once") {
  CHECK(errors("module m : { type t val x: i32 val y: t } = { def y = 1i32 }\n") ==
        "the module has no type `t`, which the module type requires; it is required here; "
        "the module has no value `x`, which the module type requires");
}

TEST_CASE("types that differ") {
  CHECK(errors("module m : { type t = i32 } = { type t = i64 }\n") ==
        "type `t` is `i64`, but the module type requires `i32`; it is required here");
  CHECK(errors("module m : { type t 'a } = { type t = i64 }\n") ==
        "type `t` has no parameters, but the module type requires the parameter 'a; it is required "
        "here");
  CHECK(errors("module m : { type t } = { type^ t = i32 -> i32 }\n") ==
        "type `t` is defined by `type^`, but the module type requires `type`; it is required here");
  CHECK(errors("module m : { type^ t } = { type^ t = i32 -> i32 }\n") == "");
  CHECK(errors("module m : { type t 'a = (a, a) } = { type t 'b = (b, b) }\n") == "");
  CHECK(errors("module m : { type t type u = (t, t) } = { type t = i32 type u = (i32, i32) }\n") ==
        "");
}

TEST_CASE("values that differ") {
  CHECK(errors("module m : { val x: i32 } = { def x = true }\n")
            .starts_with("value `x` has type `bool`, but the module type requires `i32`"));
  CHECK(errors("module m : { type t val x: t } = { type t = i32 def x = true }\n")
            .starts_with("value `x` has type `bool`, but the module type requires `i32`"));
  CHECK(errors("module m : { val f 'a: a -> a } = { def f (x: i32) = x }\n") != "");
  CHECK(errors("module m : { val f: i32 -> i32 } = { def f 'a (x: a) = x }\n") == "");
}

TEST_CASE("parametric and not") {
  CHECK(errors("module m : (X: {}) -> {} = {}\n") ==
        "the module is not parametric, but the module type requires a parametric module");
  CHECK(errors("module F (X: {}) = {}\nmodule m = F : {}\n") ==
        "the module is parametric, but the module type requires one that is not");
}

TEST_CASE("the argument of an application must match the parameter") {
  CHECK(errors("module F (X: { val x: i32 }) = {}\nmodule m = F { def y = 1i32 }\n") ==
        "the module has no value `x`, which the module type requires; it is required here");
}

TEST_CASE("one mistake is reported once") {
  CHECK(errors("module m = { def x = unknown_thing }\nmodule n : { val x: i32 } = m\n"
               "def y = m.x + m.z\n") == "unknown name `unknown_thing`");
}
