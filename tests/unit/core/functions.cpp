// Definitions, calls, closures, sections and operators.
#include "tests/unit/core/program.h"

#include <doctest/doctest.h>

using sinter::tests::resolved;

TEST_CASE("a saturated call of a known function is direct") {
  CHECK(resolved("def add (x: i32) (y: i32) = x + y\n"
                 "def main (x: i32) = add x 2") == "main %0 = (add %0! 2i32)\n"
                                                   "add %0 %1 = (i32.add %0! %1!)\n");
}

TEST_CASE("a definition is specialised once for each set of types") {
  CHECK(resolved(
            "def twice 'a (f: a -> a) (x: a) = f (f x)\n"
            "def main (x: i32) (b: bool) = (twice (+ 1) x, twice (+ 2) x, twice (\\c -> !c) b)") ==
        "main %0 %1 = (record (twice (closure lambda 1i32) %0) (twice (closure lambda'2 2i32) %0!) "
        "(twice'2 lambda'3 %1!))\n"
        "twice %0 %1 = (%0! (%0 %1!))\n"
        "lambda %0 = (i32.add %0! ^0)\n"
        "lambda'2 %0 = (i32.add %0! ^0)\n"
        "twice'2 %0 %1 = (%0! (%0 %1!))\n"
        "lambda'3 %0 = (bool.not %0!)\n");
}

TEST_CASE("recursion ends in the function itself") {
  CHECK(resolved("def fact (n: i64): i64 = if n == 0 then 1 else n * fact (n - 1)\n"
                 "def main = fact 5") ==
        "main = @main\n"
        "@main = (fact 5i64)\n"
        "fact %0 = (if (i64.eq %0 0i64) 1i64 (i64.mul %0 (fact (i64.sub %0! 1i64))))\n");
}

TEST_CASE("an operator as a value is a primitive") {
  CHECK(resolved("def main (xs: []i32) = reduce (+) 0 xs") ==
        "main %1 = (array.reduce add 0i32 %1! : i32)\n");
}

TEST_CASE("sections keep their operand in a closure") {
  CHECK(resolved("def main (x: i32) (ys: []i32) = (map (x -) ys, map (/ x) ys)") ==
        "main %0 %2 {%1 = [0]} = (record (array.map (closure lambda %0) %2 : []i32 %1) (array.map "
        "(closure lambda'2 %0!) %2! : []i32 %1))\n"
        "lambda %0 = (i32.sub ^0 %0!)\n"
        "lambda'2 %0 = (i32.div %0! ^0)\n");
}

TEST_CASE("variables of enclosing functions are captured, through all functions between") {
  CHECK(resolved("def main (x: i32) = \\(y: i32) -> \\(z: i32) -> x + y + z") ==
        "main %0 %1 %2 = ((closure lambda %0!) %1! %2!)\n"
        "lambda %0 = (closure lambda'2 ^0 %0!)\n"
        "lambda'2 %0 = (i32.add (i32.add ^0 ^1) %0!)\n");
}

TEST_CASE("equality of anything but scalars is an array operation") {
  CHECK(resolved("def main (a: (i32, bool)) (b: i32) = a == (b, true) && b != 3") ==
        "main %0 %1 = (&& (array.equal %0! (record %1 true) : bool) (i32.ne %1! 3i32))\n");
}

TEST_CASE("constants are computed once") {
  CHECK(resolved("def n = 10i64\ndef main = n + n") == "main = @main\n"
                                                       "@main = (i64.add @n @n)\n"
                                                       "@n = 10i64\n");
}

TEST_CASE("a local polymorphic function has a copy for each use's types") {
  CHECK(resolved("def main (n: i64) =\n"
                 "  let pair 'a (x: a) = (x, n)\n"
                 "  in (pair 1i32, pair true, pair 2i32)") ==
        "main %0 = (record ((closure pair %0) 1i32) ((closure pair'2 %0) true) ((closure pair %0!) "
        "2i32))\n"
        "pair %0 = (record %0! ^0)\n"
        "pair'2 %0 = (record %0! ^0)\n");
}

TEST_CASE("record fields are evaluated as they are written") {
  CHECK(resolved("def f (x: i32) = x\ndef main (x: i32) = {b = f x, a = x}") ==
        "main %0 = (let %1 = (f %0) in (let %2 = %0! in (record %2! %1!)))\n"
        "f %0 = %0!\n");
}

TEST_CASE("a long chain of definitions does not nest") {
  std::string text = "def f0 (x: i64) = x\n";
  for (int i = 1; i <= 3000; ++i)
    text += "def f" + std::to_string(i) + " (x: i64) = f" + std::to_string(i - 1) + " x\n";
  CHECK(resolved(text + "def main = f3000 1").ends_with("f0 %0 = %0!\n"));
}

TEST_CASE("uses of polymorphic local functions in each other do not multiply") {
  std::string text = "def main (x: i64) =\n  let g0 'a (y: a) = y\n";
  for (int i = 1; i <= 30; ++i) {
    const std::string before = "g" + std::to_string(i - 1);
    text += "  let g" + std::to_string(i) + " 'a (y: a) = let _ = " + before + " y in " + before +
            " y\n";
  }
  CHECK(resolved(text + "  in g30 x").size() < 10000);
}

TEST_CASE("differentiation is refused when it is reached") {
  CHECK(resolved("def main (x: f64) = vjp (\\y -> y * y) x 1")
            .find("(unsupported \"differentiation is not supported\")") != std::string::npos);
}

TEST_CASE("attributes that mean something stay; others leave what they are about") {
  CHECK(resolved("def main (x: i32) = #[trace] (x + 1)") ==
        "main %0 = (#[trace] (i32.add %0! 1i32))\n");
  CHECK(resolved("def main (x: i32) = #[no_such] (x + 1)") == "main %0 = (i32.add %0! 1i32)\n");
}
