// Which reads are the last ones.
#include "tests/unit/core/program.h"

#include <doctest/doctest.h>

using sinter::tests::resolved;

TEST_CASE("an update in a loop takes the array") {
  CHECK(resolved("def main (n: i64) (xs: *[]i32) = loop xs for i < n do xs with [i] = xs[i] + 1") ==
        "main %0 %2 = (loop %3 = %2! for %4 < %0! do (%3! with [%4] = (i32.add %3[%4!] 1i32)))\n");
}

TEST_CASE("the same through a tuple, a record, `let x[i] = …` and a function") {
  CHECK(resolved("def main (n: i64) (xs: *[]i64) =\n"
                 "  loop (xs, k) = (xs, 0) for i < n do (xs with [i] = k + xs[i], k + 1)") ==
        "main %0 %2 = (loop (%3 %4) = (record %2! 0i64) for %5 < %0! do (record (%3! with [%5] = "
        "(i64.add %4 %3[%5!])) (i64.add %4! 1i64)))\n");
  CHECK(resolved("def main (n: i64) (xs: *[]i64) =\n"
                 "  (loop r = {xs, k = 0} for i < n do r with xs[i] = r.k).xs") ==
        "main %0 %2 = (loop %5 = (let %3 = %2! in (let %4 = 0i64 in (record %4! %3!))) for %6 < "
        "%0! do (%5! with .1[%6!] = %5.0)).1\n");
  CHECK(resolved("def main (n: i64) (xs: *[]i64) =\n"
                 "  loop xs for i < n - 1 do let t = xs[i] let xs[i] = xs[i + 1] let xs[i + 1] = t "
                 "in xs") == "main %0 %2 = (loop %3 = %2! for %4 < (i64.sub %0! 1i64) do (let %5 = "
                             "%3[%4] in (let %6 = (%3! with [%4] = %3[(i64.add %4 1i64)]) in (let "
                             "%7 = (%6! with [(i64.add %4! 1i64)] = %5!) in %7!))))\n");
  CHECK(resolved("def set [n] (xs: *[n]i64) (i: i64): *[n]i64 = xs with [i] = i\n"
                 "def main (n: i64) (xs: *[]i64) = loop xs for i < n do set xs i") ==
        "main %0 %2 = (loop %3 = %2! for %4 < %0! do (set %3! %4!))\n"
        "set %1 %2 = (%1! with [%2] = %2!)\n");
}

TEST_CASE("what a loop reads from outside stays alive") {
  CHECK(resolved("def main (n: i64) (xs: []i64) (ys: *[]i64) =\n"
                 "  loop ys for i < n do ys with [i] = xs[i]") ==
        "main %0 %2 %4 = (loop %5 = %4! for %6 < %0! do (%5! with [%6] = %2[%6!]))\n");
}

TEST_CASE("each branch has its own last use") {
  CHECK(resolved("def main (b: bool) (xs: *[]i64) = if b then xs with [0] = 1 else xs") ==
        "main %0 %2 = (if %0! (%2! with [0i32] = 1i64) %2!)\n");
}

TEST_CASE("a read before another in the same call is not the last") {
  CHECK(resolved("def f (xs: []i64) (ys: []i64) = (xs, ys)\ndef main (xs: []i64) = f xs xs") ==
        "main %1 = (f %1 %1!)\n"
        "f %1 %3 = (record %1! %3!)\n");
}

TEST_CASE("what nobody reads is not kept") {
  CHECK(resolved("def main (xs: []i64) = let (_, b) = (xs, xs) let c = b in 1i32") ==
        "main %1 = (let (_ %2) = (record %1 %1!) in (let _ = %2! in 1i32))\n");
}
