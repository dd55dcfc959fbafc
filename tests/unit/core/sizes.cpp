// Sizes: read off shapes, passed along, computed, checked.
#include "tests/unit/core/program.h"

#include <doctest/doctest.h>

using sinter::tests::resolved;

TEST_CASE("a size parameter is read off the argument that shows it") {
  CHECK(resolved("def main [n] (xs: [n]i32) = n") == "main _ {%0 = [0]} = %0!\n");
}

TEST_CASE("a size that no argument shows is a hidden parameter") {
  CHECK(resolved("def make [n] (f: i64 -> [n]i32) : [n]i32 = map (+ i32.i64 n) (f 0)\n"
                 "def main (k: i64) = make (\\i -> replicate k (i32.i64 i))") ==
        "main %0 = (make %0 (closure lambda %0!))\n"
        "make %1 %0 = (array.map (closure lambda'2 (i64.convert %1)) (%0! 0i64) : []i32 %1)\n"
        "lambda %0 = (array.replicate ^0 (i64.convert %0!) : []i32 ^0)\n"
        "lambda'2 %0 = (i32.add %0! ^0)\n");
}

TEST_CASE("a size that nothing uses is not passed") {
  CHECK(resolved("def make [n] (f: i64 -> [n]i32) : [n]i32 = f 0\n"
                 "def main (k: i64) = make (\\i -> replicate k (i32.i64 i))") ==
        "main %0 = (make (closure lambda %0!))\n"
        "make %0 = (%0! 0i64)\n"
        "lambda %0 = (array.replicate ^0 (i64.convert %0!) : []i32 ^0)\n");
}

TEST_CASE("extents of type arguments travel along for empty arrays") {
  CHECK(resolved("def none 'a (_: a): [0]a = []\n"
                 "def lift 'a 'b (f: a -> b) : [0]b = map f []\n"
                 "def main (k: i64) = (none (iota k), lift (\\(x: i32) -> replicate k x))") ==
        "main %0 = (record (none (iota %0)) (lift %0 (closure lambda %0!)))\n"
        "none _ {%0 = [0]} = [ : [][]i64 0i64 %0]\n"
        "iota %0 = (0i64..1i64..<%0!)\n"
        "lift %1 %0 = (array.map %0! [ : []i32 0i64] : [][]i32 0i64 %1)\n"
        "lambda %0 = (array.replicate ^0 %0! : []i32 ^0)\n");
}

TEST_CASE("sizes inside arrays of tuples are found by a path") {
  CHECK(resolved("def f [n] [m] (xs: [n](i32, [m]bool)) = n + m\n"
                 "def main (xs: [](i32, [3]bool)) = f xs") ==
        "main %1 = (check #0 {.1[0] == 3i64}) (f %1!)\n"
        "f _ {%0 = [0]} {%1 = .1[0]} = (i64.add %0! %1!)\n");
}

TEST_CASE("an unknown size is read off the result that it comes with") {
  CHECK(resolved("def main (xs: []i32) = let ys = filter (> 0) xs in map (\\_ -> length ys) ys") ==
        "main %1 = (let %3 = (sizes (array.filter (closure lambda 0i32) %1! : []i32 ?) {%2 = [0]}) "
        "in (array.map (closure lambda'2 %3) %3! : []i64 %2))\n"
        "lambda %0 = (i32.gt %0! ^0)\n"
        "lambda'2 _ = (length ^0)\n"
        "length _ {%0 = [0]} = %0!\n");
}

TEST_CASE("size expressions become arithmetic") {
  CHECK(resolved("def main (n: i64) : [0][n * 2 + 1]bool = []") ==
        "main %0 = [ : [][]bool 0i64 (i64.add (i64.mul %0 2i64) 1i64)]\n");
}

TEST_CASE("coercions check each dimension") {
  CHECK(resolved("def main [n] (xs: [n]i32) = xs :> [n + 1]i32") ==
        "main %1 {%0 = [0]} = (coerce %1! {[0] == (i64.add %0 1i64)})\n");
}

TEST_CASE("size parameters inside size expressions are found by matching") {
  CHECK(resolved("def f (x: i64) = x + 1\n"
                 "def g [n] (xs: [f n]i32) = n\n"
                 "def main (m: i64) (xs: []i32) = g (xs :> [f m]i32)") ==
        "main %0 %2 = (g %0 (coerce %2! {[0] == (f %0)}))\n"
        "g %1 _ = %1!\n"
        "f %0 = (i64.add %0! 1i64)\n");
}

TEST_CASE("a loop reads the sizes of its parameter anew") {
  CHECK(
      resolved("def main (k: i64) = loop xs = [1i32] for i < k do map (\\_ -> i32.i64 (length xs)) "
               "(xs ++ xs)") == "main %0 = (sizes (loop %2 {%1 = [0]} = [1i32 : []i32 1i64] for %3 "
                                "< %0! do (array.map (closure lambda %2) (array.concat %2 %2! : "
                                "[]i32 (i64.add %1 %1)) : []i32 (i64.add %1 %1))))\n"
                                "lambda _ = (i64.convert (length ^0))\n"
                                "length _ {%0 = [0]} = %0!\n");
}

TEST_CASE("a size parameter may be a part of the size expression at the use") {
  CHECK(
      resolved("def g [k] (xs: [2 ** k]i32) = k\n"
               "def main (m: i64) (xs: []i32) = g (xs :> [2 ** (m + 1)]i32)") ==
      "main %0 %2 = (g (i64.add %0 1i64) (coerce %2! {[0] == (i64.pow 2i64 (i64.add %0 1i64))}))\n"
      "g %1 _ = %1!\n");
}

TEST_CASE("an argument whose shape gives a hidden size is evaluated first") {
  CHECK(resolved("def lift 'b (f: i32 -> b): [0]b = map f []\n"
                 "def keep 'a (x: a) (_: i32) = x\n"
                 "def main (xs: []i32) = lift (keep (filter (> 0) xs))") ==
        "main %1 = (let %3 = (keep (sizes (array.filter (closure lambda 0i32) %1! : []i32 ?) {%2 = "
        "[0]})) in (lift %2! %3!))\n"
        "keep %1 _ = %1!\n"
        "lambda %0 = (i32.gt %0! ^0)\n"
        "lift %1 %0 = (array.map %0! [ : []i32 0i64] : [][]i32 0i64 %1)\n");
}

TEST_CASE("a size that only the body behind an open result size tells is found") {
  CHECK(resolved("def cut (l: i64) (xs: []i32) : []i32 = take l xs\n"
                 "def sides [n] [m] (xs: [n * m]i32) = n - m\n"
                 "def main (a: i64) (b: i64) (xs: []i32) = sides (cut (a * b) xs)") ==
        "main %0 %1 %3 = (sides %0 %1 (cut (i64.mul %0! %1!) %3!))\n"
        "sides %1 %2 _ = (i64.sub %1! %2!)\n"
        "cut %0 %2 = (take %0! %2!)\n"
        "take %0 %2 = %2![0i64:%0!]\n");
  CHECK(resolved("def cut (l: i64) (xs: []i32) : []i32 = take l xs\n"
                 "def (<+>) [n] [m] (xs: [n * m]i32) (k: i64) = n - m + k\n"
                 "def main (a: i64) (b: i64) (xs: []i32) = cut (a * b) xs <+> 1") ==
        "main %0 %1 %3 = (<+> %0 %1 (cut (i64.mul %0! %1!) %3!) 1i64)\n"
        "<+> %2 %3 _ %1 = (i64.add (i64.sub %2! %3!) %1!)\n"
        "cut %0 %2 = (take %0! %2!)\n"
        "take %0 %2 = %2![0i64:%0!]\n");
}

TEST_CASE("a size that a loop names is read off its parameter, whatever it equals") {
  CHECK(resolved(
            "def main (k: i64) = loop [n] (xs: [n]i64) = [k] for i < k do map (+ n) (xs ++ xs)") ==
        "main %0 = (sizes (loop %2 {%1 = [0]} = [%0 : []i64 1i64] for %3 < %0! do "
        "(array.map (closure lambda %1) (array.concat %2 %2! : []i64 (i64.add %1 %1)) : []i64 "
        "(i64.add %1 %1))))\n"
        "lambda %0 = (i64.add %0! ^0)\n");
  CHECK(resolved(
            "def main [m] (ys: [m]i64) = loop [n] (xs: [n]i64) = ys for i < 3 do map (+ n) xs") ==
        "main %1 {%0 = [0]} = (loop %3 {%2 = [0]} = %1! for %4 < 3i32 do (array.map (closure "
        "lambda %2!) %3! : []i64 %0))\n"
        "lambda %0 = (i64.add %0! ^0)\n");
}

TEST_CASE("a size that is an expression is evaluated where it is needed") {
  CHECK(resolved("def f (k: i64) = k * k\n"
                 "def main (k: i64) = map (\\i -> iota (f k)) (iota k)") ==
        "main %0 = (array.map (closure lambda %0) (iota %0) : [][]i64 %0 (f %0))\n"
        "lambda _ = (iota (f ^0))\n"
        "iota %0 = (0i64..1i64..<%0!)\n"
        "f %0 = (i64.mul %0 %0!)\n");
  CHECK(resolved("def main (k: i64) = map (\\i -> iota (if k > 1 then k else 1)) (iota k)") ==
        "main %0 = (array.map (closure lambda %0) (iota %0) : [][]i64 %0 (if (i64.gt %0 1i64) %0 "
        "1i64))\n"
        "lambda _ = (iota (if (i64.gt ^0 1i64) ^0 1i64))\n"
        "iota %0 = (0i64..1i64..<%0!)\n");
}
