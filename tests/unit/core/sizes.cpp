// Sizes: read off shapes, passed along, computed, checked.
#include "tests/unit/core/program.h"

#include <doctest/doctest.h>

using sinter::tests::resolved;

TEST_CASE("a size parameter is read off the argument that shows it") {
  CHECK(resolved("def main [n] (xs: [n]i32) = n") == "");
}

TEST_CASE("a size that no argument shows is a hidden parameter") {
  CHECK(resolved("def make [n] (f: i64 -> [n]i32) : [n]i32 = map (+ i32.i64 n) (f 0)\n"
                 "def main (k: i64) = make (\\i -> replicate k (i32.i64 i))") == "");
}

TEST_CASE("a size that nothing uses is not passed") {
  CHECK(resolved("def make [n] (f: i64 -> [n]i32) : [n]i32 = f 0\n"
                 "def main (k: i64) = make (\\i -> replicate k (i32.i64 i))") == "");
}

TEST_CASE("extents of type arguments travel along for empty arrays") {
  CHECK(resolved("def none 'a (_: a): [0]a = []\n"
                 "def lift 'a 'b (f: a -> b) : [0]b = map f []\n"
                 "def main (k: i64) = (none (iota k), lift (\\(x: i32) -> replicate k x))") == "");
}

TEST_CASE("sizes inside arrays of tuples are found by a path") {
  CHECK(resolved("def f [n] [m] (xs: [n](i32, [m]bool)) = n + m\n"
                 "def main (xs: [](i32, [3]bool)) = f xs") == "");
}

TEST_CASE("an unknown size is read off the result that it comes with") {
  CHECK(resolved("def main (xs: []i32) = let ys = filter (> 0) xs in map (\\_ -> length ys) ys") ==
        "");
}

TEST_CASE("size expressions become arithmetic") {
  CHECK(resolved("def main (n: i64) : [0][n * 2 + 1]bool = []") == "");
}

TEST_CASE("coercions check each dimension") {
  CHECK(resolved("def main [n] (xs: [n]i32) = xs :> [n + 1]i32") == "");
}

TEST_CASE("size parameters inside size expressions are found by matching") {
  CHECK(resolved("def f (x: i64) = x + 1\n"
                 "def g [n] (xs: [f n]i32) = n\n"
                 "def main (m: i64) (xs: []i32) = g (xs :> [f m]i32)") == "");
}

TEST_CASE("a loop reads the sizes of its parameter anew") {
  CHECK(resolved("def main (k: i64) = loop xs = [1i32] for i < k do map (\\_ -> i32.i64 (length xs)) "
                 "(xs ++ xs)") == "");
}
