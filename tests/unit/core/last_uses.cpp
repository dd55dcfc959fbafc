// Which reads are the last ones.
#include "tests/unit/core/program.h"

#include <doctest/doctest.h>

using sinter::tests::resolved;

TEST_CASE("an update in a loop takes the array") {
  CHECK(resolved("def main (n: i64) (xs: *[]i32) = loop xs for i < n do xs with [i] = xs[i] + 1") ==
        "");
}

TEST_CASE("the same through a tuple, a record, `let x[i] = …` and a function") {
  CHECK(resolved("def main (n: i64) (xs: *[]i64) =\n"
                 "  loop (xs, k) = (xs, 0) for i < n do (xs with [i] = k + xs[i], k + 1)") == "");
  CHECK(resolved("def main (n: i64) (xs: *[]i64) =\n"
                 "  (loop r = {xs, k = 0} for i < n do r with xs[i] = r.k).xs") == "");
  CHECK(resolved("def main (n: i64) (xs: *[]i64) =\n"
                 "  loop xs for i < n - 1 do let t = xs[i] let xs[i] = xs[i + 1] let xs[i + 1] = t "
                 "in xs") == "");
  CHECK(resolved("def set [n] (xs: *[n]i64) (i: i64): *[n]i64 = xs with [i] = i\n"
                 "def main (n: i64) (xs: *[]i64) = loop xs for i < n do set xs i") == "");
}

TEST_CASE("what a loop reads from outside stays alive") {
  CHECK(resolved("def main (n: i64) (xs: []i64) (ys: *[]i64) =\n"
                 "  loop ys for i < n do ys with [i] = xs[i]") == "");
}

TEST_CASE("each branch has its own last use") {
  CHECK(resolved("def main (b: bool) (xs: *[]i64) = if b then xs with [0] = 1 else xs") == "");
}

TEST_CASE("a read before another in the same call is not the last") {
  CHECK(resolved("def f (xs: []i64) (ys: []i64) = (xs, ys)\ndef main (xs: []i64) = f xs xs") == "");
}

TEST_CASE("what nobody reads is not kept") {
  CHECK(resolved("def main (xs: []i64) = let (_, b) = (xs, xs) let c = b in 1i32") == "");
}
