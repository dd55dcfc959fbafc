// Look-up of names: qualified, shadowed, opened, local.

#include "checking.h"

#include <doctest/doctest.h>

using sinter::tests::Checked;
using sinter::tests::errors;

TEST_CASE("a path is read as modules first, then one value, then fields") {
  Checked program("module m = { module n = { def r = {x = {y = 1i32}} } }\n"
                  "def a = m.n.r.x.y\n"
                  "def b = m.n.r.x\n"
                  "def c (m: {f: i64}) = m.f\n");
  CHECK(program.type_of("a") == "i32");
  CHECK(program.type_of("b") == "{y: i32}");
  CHECK(program.messages() == "");
}

TEST_CASE("a value hides a module of the same name, and the reverse") {
  CHECK(errors("module m = { def x = 1i32 }\n"
               "def f (m: {x: bool}) : bool = m.x\n"
               "def g : i32 = m.x\n") == "");
  CHECK(errors("module a = { def m = {x = true} }\n"
               "module b = { module m = { def x = 1i32 } }\n"
               "open a\nopen b\n"
               "def g : i32 = m.x\n") == "");
  CHECK(errors("module a = { def m = {x = true} }\n"
               "module b = { module m = { def x = 1i32 } }\n"
               "open b\nopen a\n"
               "def g : bool = m.x\n") == "");
}

TEST_CASE("unknown names are reported with names like them") {
  CHECK(errors("def number = 1i32\ndef f = numbr\n") ==
        "Unknown name \"numbr\" -- did you mean `number`?");
  CHECK(errors("module m = { def number = 1i32 }\ndef f = m.nmber\n") ==
        "Unknown name \"m.nmber\": module \"m\" does not define it -- did you mean `m.number`?");
  CHECK(errors("module m = { def x = 1i32 }\ndef f = m\n") ==
        "Unknown name \"m\" -- `m` is a module; a member of it is written `m.member`");
  CHECK(errors("def f (x: nothing_like_it) = x\n") == "Unknown type \"nothing_like_it\"");
  CHECK(errors("module m = nothing_like_it\n") == "Unknown module \"nothing_like_it\"");
  CHECK(errors("module m : nothing_like_it = {}\n") == "Unknown module type \"nothing_like_it\"");
  CHECK(errors("module m = { type t = i32 }\ndef f (x: m.u) = x\n") ==
        "Unknown type \"m.u\": module \"m\" does not define it");
}

TEST_CASE("a parametric module has no members") {
  CHECK(errors("module F (X: {}) = { def x = 1i32 }\ndef f = F.x\n") ==
        "Module \"F\" is a parametric module: it has members only once it is applied");
  CHECK(errors("module F (X: {}) = { def x = 1i32 }\nopen F\n") ==
        "the opened module is parametric and must be applied first"
        " -- apply it to a module: `F(M)`");
}

TEST_CASE("a name is defined once in a module") {
  CHECK(errors("def x = 1i32\ndef x = 2i32\n") ==
        "Duplicate definition of value \"x\"; previously defined here");
  CHECK(errors("def x = 1i32\nmodule x = {}\n") ==
        "Duplicate definition of module \"x\"; previously defined here");
  CHECK(errors("type t = i32\ntype t = i64\n") ==
        "Duplicate definition of type \"t\"; previously defined here");
  CHECK(errors("module type t = {}\nmodule type t = {}\n") ==
        "Duplicate definition of module type \"t\"; previously defined here");
  CHECK(errors("module m = { def x = 1i32\ndef x = 2i32 }\n") ==
        "Duplicate definition of value \"x\"; previously defined here");
  CHECK(errors("type t = i32\ndef t = 1i32\nmodule type t = {}\n") == "");
  CHECK(errors("local def x = 1i32\ndef x = true\ndef y : bool = x\n") == "");
  CHECK(errors("module type s = { val x: i32 val x: i32 }\n") ==
        "Duplicate definition of value \"x\" in a module type; previously specified here");
}

TEST_CASE("open brings names into scope and into the module") {
  Checked program("module m = { def x = 1i32 type t = bool }\n"
                  "module n = { open m def y : t = x > 0 }\n"
                  "open n\n"
                  "def z : t = y && x == 1\n");
  CHECK(program.type_of("n.x") == "i32");
  CHECK(program.type_of("y") == "bool");
  CHECK(program.type_of("z") == "bool");
}

TEST_CASE("what is local is not visible from outside") {
  Checked program(
      "module m = { local def x = 1i32 def y = x local open { def z = 2i32 } def w = z }\n"
      "def a = m.y + m.w\n");
  CHECK(program.type_of("a") == "i32");
  CHECK(program.type_of("m.x") == "");
  CHECK(program.type_of("m.z") == "");
  CHECK(errors("module m = { local def x = 1i32 }\ndef a = m.x\n") ==
        "Unknown name \"m.x\": module \"m\" does not define it");
}

TEST_CASE("names in an opened module are found inside m.(e)") {
  CHECK(errors("module m = { def x = 1i32 def (+) (a: i32) (b: i32) = a - b }\n"
               "def f (y: i32) : i32 = m.(x + y)\n") == "");
}

TEST_CASE("a later definition does not change an earlier one") {
  Checked program("module m = { def x = 1i32 }\n"
                  "def f = m.x\n"
                  "module n = { module m = { def x = true } def g = m.x }\n"
                  "def h = m.x\n");
  CHECK(program.type_of("f") == "i32");
  CHECK(program.type_of("n.g") == "bool");
  CHECK(program.type_of("h") == "i32");
}

TEST_CASE("entry points belong to files") {
  CHECK(errors("module m = { entry f (x: i32) = x }\n") ==
        "Entry points may not be declared inside modules");
  CHECK(errors("entry f = map2 (+) [1i32] \n") == "");
}

TEST_CASE("a function sees itself, unless only the outer meaning of its name fits") {
  CHECK(errors("def sum (x: i32) : i32 = if x == 0 then 0 else x + sum (x - 1)\n") == "");
  const std::string message = "`map` is not used recursively here: inside, the name means what it "
                              "means outside, as its own definition does not fit there";
  Checked program("def map 'a (f: a -> a) (xs: {data: []a}) = map f xs.data\n"
                  "def y = map (+ 1i32) {data = [1, 2]}\n");
  CHECK(program.messages() == message);
  CHECK(program.type_of("y") == "[2]i32");
  CHECK(errors("def map (f: i32 -> i32) (xs: {data: []i32}) = map f xs.dat\n") != "");
}
