// What fuses, and what must not.
#include "check.h"

#include "jit/passes/dead_code.h"
#include "jit/passes/delay.h"
#include "jit/passes/fuse.h"
#include "jit/passes/pipeline.h"
#include "jit/passes/simplify.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::jit;

namespace {

/// Sums, as an operator whose names end in a letter of its own.
std::string plus(const std::string& end = "") {
  return "{ (a" + end + ": f32, b" + end + ": f32) c" + end + ": f32 = add a" + end + " b" + end +
         " yield c" + end + " }";
}

std::size_t soac_count(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find("= soac"); at != std::string::npos;
       at = text.find("= soac", at + 1))
    ++count;
  return count;
}

} // namespace

TEST_CASE("siblings that read one array become one") {
  CHECK(soac_count(
            after(fuse, "fn f(n: i64, xs: [n]f32) -> (f32, f32) { "
                        "s: f32 = soac n (xs) { (i: i64, x: f32) yield x } reduce (0.0f32) " +
                            plus() +
                            " t: f32 = soac n (xs) { (j: i64, w: f32) y: f32 = mul w w yield y } "
                            "reduce (0.0f32) " +
                            plus("2") + " ret s, t }")) == 1);
}

TEST_CASE("filters of one array become one kernel's") {
  CHECK(soac_count(
            after(fuse, "fn f(n: i64, xs: [n]f32) -> (i64, i64) { "
                        "m: i64, ys: [m]f32 = soac n (xs) { (i: i64, x: f32) p: bool = lt x 0.5f32 "
                        "yield p, x } filter 1 "
                        "l: i64, zs: [l]f32 = soac n (xs) { (j: i64, y: f32) q: bool = ge y 0.5f32 "
                        "yield q, y } filter 1 ret m, l }")) == 1);
}

TEST_CASE("the check of what filters leave, put together, does not keep them apart") {
  CHECK(soac_count(
            after(fuse, "fn f(n: i64, xs: [n]f32) -> (i64, i64) { "
                        "m: i64, ys: [m]f32 = soac n (xs) { (i: i64, x: f32) p: bool = lt x 0.5f32 "
                        "yield p, x } filter 1 "
                        "c: bool = lt m 100i64 check c, \"size\" "
                        "l: i64, zs: [l]f32 = soac n (xs) { (j: i64, y: f32) q: bool = ge y 0.5f32 "
                        "yield q, y } filter 1 ret m, l }")) == 1);
}

TEST_CASE("what must not fuse") {
  const auto keeps_two = [](const std::string& text) {
    const std::string result = after(fuse, text);
    INFO(result);
    CHECK(soac_count(result) == 2);
  };
  SUBCASE("a consumer that needs the reduction's result") {
    keeps_two("fn f(n: i64, xs: [n]f32) -> [n]f32 { "
              "s: f32 = soac n (xs) { (i: i64, x: f32) yield x } reduce (0.0f32) " +
              plus() +
              " ys: [n]f32 = soac n (xs) { (j: i64, w: f32) y: f32 = div w s yield y } map "
              "ret ys }");
  }
  SUBCASE("a consumer that needs it over a third statement") {
    keeps_two("fn f(n: i64, xs: [n]f32) -> [n]f32 { "
              "ys: [n]f32 = soac n (xs) { (i: i64, x: f32) y: f32 = exp x yield y } map "
              "l: f32 = index ys[0i64] "
              "zs: [n]f32 = soac n (ys) { (j: i64, w: f32) z: f32 = div w l yield z } map "
              "ret zs }");
  }
  SUBCASE("a consumer that reads other elements") {
    keeps_two("fn f(n: i64, xs: [n]f32) -> [n]f32 { "
              "ys: [n]f32 = soac n (xs) { (i: i64, x: f32) y: f32 = exp x yield y } map "
              "zs: [n]f32 = soac n (ys) { (h: i64, v: f32) j: i64 = sub n h k: i64 = sub j 1i64 "
              "w: f32 = index ys[k] z: f32 = div v w yield z } map ret zs }");
  }
  SUBCASE("another extent") {
    keeps_two("fn f(n: i64, m: i64, xs: [n]f32, ys: [m]f32) -> (f32, f32) { "
              "s: f32 = soac n (xs) { (i: i64, x: f32) yield x } reduce (0.0f32) " +
              plus() + " t: f32 = soac m (ys) { (j: i64, y: f32) yield y } reduce (0.0f32) " +
              plus("2") + " ret s, t }");
  }
  SUBCASE("a scan's results") {
    keeps_two("fn f(n: i64, xs: [n]f32) -> [n]f32 { "
              "ys: [n]f32 = soac n (xs) { (i: i64, x: f32) yield x } scan (0.0f32) " +
              plus() +
              " zs: [n]f32 = soac n (ys) { (j: i64, y: f32) z: f32 = exp y yield z } map "
              "ret zs }");
  }
  SUBCASE("a producer that reads what the consumer overwrites") {
    keeps_two("fn f(n: i64, xs: [n]f32, is: [n]i64) -> [n]f32 { ds: [n]f32 = copy xs "
              "ys: [n]f32 = soac n () { (i: i64) j: i64 = sub n i k: i64 = sub j 1i64 "
              "x: f32 = index ds[k] yield x } map "
              "zs: [n]f32 = soac n (is, ys) { (h: i64, l: i64, y: f32) yield l, y } "
              "scatter 1 ds ret zs }");
  }
  SUBCASE("siblings, one of which overwrites what the other reads") {
    keeps_two("fn f(n: i64, xs: [n]f32, is: [n]i64) -> (f32, [n]f32) { ds: [n]f32 = copy xs "
              "s: f32 = soac n (ds, is) { (i: i64, d: f32, j: i64) k: bool = lt j 0i64 "
              "g: f32 = select k d 1.0f32 yield g } reduce (0.0f32) " +
              plus() +
              " zs: [n]f32 = soac n (is) { (h: i64, l: i64) yield l, 1.0f32 } "
              "scatter 1 ds ret s, zs }");
  }
}

TEST_CASE("what is scattered is made on the way, though the arrays take turns in a loop") {
  const std::string result =
      after(fuse, "fn f(n: i64, xs: [n]f32, ms: [n]i64) -> [n]f32 { "
                  "a: [n]f32 = copy xs b: [n]f32 = copy xs "
                  "c: [n]f32, d: [n]f32 = for 3i64 (a, b) { (t: i64, ps: [n]f32, qs: [n]f32) "
                  "is: [n]i64 = soac n (ms) { (i: i64, m: i64) p: f32 = index ps[i] "
                  "k: bool = lt p 0.0f32 j: i64 = select k m i yield j } map "
                  "rs: [n]f32 = soac n (is, ps) { (h: i64, l: i64, q: f32) yield l, q } "
                  "scatter 1 qs yield rs, ps } ret c }");
  INFO(result);
  CHECK(soac_count(result) == 1);
}

TEST_CASE("maps inside of fused maps fuse as well") {
  const std::string result =
      after(fuse, "fn f(n: i64, m: i64, xs: [n][m]f32) -> [n]f32 { "
                  "ys: [n][m]f32 = soac n (xs) { (i: i64, r: [m]f32) "
                  "s: [m]f32 = soac m (r) { (j: i64, x: f32) y: f32 = mul x x yield y } map "
                  "yield s } map "
                  "zs: [n]f32 = soac n (ys) { (h: i64, q: [m]f32) "
                  "t: f32 = soac m (q) { (l: i64, w: f32) yield w } reduce (0.0f32) " +
                      plus() + " yield t } map ret zs }");
  INFO(result);
  CHECK(soac_count(result) == 2); // one in the other
}

TEST_CASE("cheap arrays are computed where they are read") {
  check_rewrites(inline_delayed,
                 "fn f(n: i64, xs: [n]f32) -> [n]f32 { "
                 "ys: [n]f32 = soac n () { (i: i64) a: i64 = sub n i k: i64 = add a -1i64 "
                 "y: f32 = index xs[k] yield y } map "
                 "s: [n]f32 = slice ys[0i64:1i64] "
                 "zs: [n]f32 = soac n (s) { (j: i64, w: f32) z: f32 = exp w yield z } map ret zs }",
                 "fn f(n: i64, xs: [n]f32) -> [n]f32 { "
                 "zs: [n]f32 = soac n () { (i: i64) a: i64 = sub n i k: i64 = add a -1i64 "
                 "y: f32 = index xs[k] z: f32 = exp y yield z } map ret zs }");
  // A row that needs what another operation beside it gives is not computed without that.
  after(inline_delayed,
        "fn f(n: i64, xs: [n]i32, k: i64) -> i32 { rows: [n][3]i32 = soac n () { (i: i64) "
        "s: i32 = soac n (xs) { (j: i64, x: i32) yield x } reduce (0i32) "
        "{ (a: i32, b: i32) c: i32 = add a b yield c } "
        "row: [3]i32 = soac 3i64 () { (l: i64) yield s } map yield row } map "
        "r: i32 = index rows[k, k] ret r }");
  // What is expensive is not computed at each of its uses.
  const std::string stencil =
      "fn f(n: i64, m: i64, xs: [n]f32) -> [m]f32 { "
      "ys: [n]f32 = soac n (xs) { (i: i64, x: f32) y: f32 = exp x yield y } map "
      "zs: [m]f32 = soac m () { (j: i64) v: f32 = index ys[j] k: i64 = add j 1i64 "
      "w: f32 = index ys[k] z: f32 = add v w yield z } map ret zs }";
  check_keeps(inline_delayed, stencil);
}

TEST_CASE("histograms of floats are joined only if they are cut into the same segments") {
  const auto histogram = [](const std::string& bins, const std::string& end) {
    return "r" + end + ": [" + bins + "]f32 = soac n (is, xs) { (i" + end + ": i64, k" + end +
           ": i64, x" + end + ": f32) yield k" + end + ", x" + end + " } histogram 1 (d" + end +
           ") (0.0f32) " + plus(end) + " ";
  };
  const auto both = [&](const std::string& first, const std::string& second) {
    return soac_count(after(fuse, "fn f(n: i64, m: i64, l: i64, is: [n]i64, xs: [n]f32, d1: [" +
                                      first + "]f32, d2: [" + second + "]f32) -> ([" + first +
                                      "]f32, [" + second + "]f32) { " + histogram(first, "1") +
                                      histogram(second, "2") + "ret r1, r2 }"));
  };
  CHECK(both("m", "m") == 1);
  CHECK(both("m", "l") == 2);
}
