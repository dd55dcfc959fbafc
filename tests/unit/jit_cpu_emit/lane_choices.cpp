// Where lanes belong, along a kernel's own elements or along those of SOACs inside: what decides
// it, and that results are the same on both sides.
#include "check_kernel.h"
#include "jit/emit/kernel_shape.h"
#include "jit/emit/plan.h"
#include "jit/ir/parse.h"
#include "kernel_runner.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace sinter;
using namespace sinter::jit;

TEST_CASE("of sums, lanes go down no columns that lie side by side") {
  const auto choice = [](std::string_view indices) {
    const ir::Function function = ir::parse(
        "fn f(n: i64, m: i64, a: [n][m]f32, b: [m][n]f32) -> [m]f32 { r: [m]f32 = soac m () { (i: "
        "i64) s: f32 = soac n () { (j: i64) x: f32 = index a[j, i] y: f32 = index " +
        std::string(indices) +
        " z: f32 = add x y yield z } reduce (0f32) { (p: f32, q: f32) t: f32 = add p q yield t } "
        "yield s } map ret r }");
    return lane_choice(function, 16, 16, AlongRows::InLongVectors).value();
  };
  CHECK(choice("a[j, i]").goes_down_columns);
  CHECK(choice("a[0i64, i]").goes_down_columns);
  CHECK_FALSE(choice("b[i, j]").goes_down_columns); // which lie along what is summed
  CHECK_FALSE(choice("a[j, i]").makes_rows);
}

TEST_CASE("numbers that all columns have in common change nothing of that, rows of each do") {
  const auto choice = [](std::string_view row) {
    const ir::Function function = ir::parse(
        "fn f(n: i64, m: i64, a: [n][m]f32, b: [m][n]f32, xs: [n]f32) -> [m]f32 { r: [m]f32 = soac "
        "m (b) { (i: i64, ys: [n]f32) s: f32 = soac n (" +
        std::string(row) +
        ") { (j: i64, w: f32) x: f32 = index a[j, i] z: f32 = mul x w yield z } reduce (0f32) { "
        "(p: f32, q: f32) t: f32 = add p q yield t } yield s } map ret r }");
    return lane_choice(function, 16, 16, AlongRows::InLongVectors).value();
  };
  CHECK(choice("xs").goes_down_columns);
  CHECK_FALSE(choice("ys").goes_down_columns);
}

TEST_CASE("rows of a few numbers, which are not turned over, have lanes along them") {
  const auto is_outside = [](const std::string& extent) {
    const ir::Function function = ir::parse(
        "fn f(n: i64, m: i64, xss: [n][" + extent + "]f32, ys: [" + extent + "]f32) -> [n][" +
        extent + "]f32 { r: [n][" + extent + "]f32 = soac n (xss) { (i: i64, xs: [" + extent +
        "]f32) s: [" + extent + "]f32 = soac " + extent +
        " (xs, ys) { (j: i64, x: f32, y: f32) z: f32 = sub x y yield z } map yield s } "
        "map ret r }");
    return LanePlan(function, 32, AlongRows::InLongVectors).runs_in_lanes(*parallel_soac(function));
  };
  for (const char* const extent : {"8i64", "10i64", "12i64", "15i64"})
    CHECK_FALSE(is_outside(extent));
}

TEST_CASE("what is folded may have its lanes inside, as what is mapped may") {
  const auto choice = [](std::string_view type, std::string_view group) {
    return lane_choice(ir::parse("fn f(n: i64, m: i64, zs: [9]i64) -> " + std::string(type) +
                                 " { r: " + std::string(type) +
                                 " = soac n () { (i: i64) s: f32 = soac m () { (j: i64) x: i64 = "
                                 "mul i j y: f32 = convert x yield y } reduce (0f32) { (a: f32, b: "
                                 "f32) c: f32 = add a b yield c } yield " +
                                 std::string(group) + " ret r }"),
                       16, 16, AlongRows::InLongVectors);
  };
  const auto mapped = choice("[n]f32", "s } map");
  REQUIRE(mapped);
  for (const bool scans : {false, true}) {
    const auto folded = choice(scans ? "[n]f32" : "f32",
                               "s } " + std::string(scans ? "scan" : "reduce") +
                                   " (0f32) { (d: f32, e: f32) g: f32 = add d e yield g }");
    REQUIRE(folded);
    CHECK(folded->inner_extents.size() == mapped->inner_extents.size());
  }
  // (What it writes to lists, or puts to kinds, depends on where lanes are.)
  CHECK_FALSE(choice("[9]i64", "i, i } scatter 1 zs"));
}

TEST_CASE("loops in the bodies of rows decide where lanes belong") {
  const auto choice = [](const std::string& rounds) {
    return lane_choice(
               ir::parse("fn f(n: i64, m: i64) -> [n]f32 { r: [n]f32 = soac n () { (i: i64) "
                         "e: [m]f32 = soac m () { (j: i64) x: i64 = mul i j y: f32 = "
                         "convert x yield y } map " +
                         rounds +
                         " s: f32 = soac m (z) { (k: i64, w: f32) yield w } reduce (0f32) "
                         "{ (a: f32, b: f32) c: f32 = add a b yield c } yield s } map ret r "
                         "}"),
               16, 16, AlongRows::InLongVectors)
        .value();
  };
  const std::string row = "{ (l: i64, v: f32) p: f32 = mul v 0.5f32 yield p } map ";
  const LaneChoice straight = choice("z: [m]f32 = soac m (e) " + row);
  CHECK(straight.goes_in_order);
  CHECK_FALSE(straight.has_scans);
  CHECK_FALSE(straight.goes_one_by_one);
  CHECK_FALSE(straight.goes_over_again);

  const LaneChoice scanned = choice(
      "z: [m]f32 = soac m (e) { (l: i64, v: f32) yield v } scan (0f32) { (q: f32, t: f32) u: "
      "f32 = add q t yield u }");
  CHECK(scanned.has_scans);

  for (const char* loop : {"for 9i64 (e) { (h: i64, o: [m]f32) ",
                           "while (e) { (g: [m]f32) first: f32 = index g[0i64] more: bool = lt "
                           "first 9f32 yield more } do { (o: [m]f32) "}) {
    const LaneChoice again =
        choice("z: [m]f32 = " + std::string(loop) + "d: [m]f32 = soac m (o) " + row + " yield d }");
    CHECK(again.goes_over_again);
    CHECK_FALSE(again.goes_one_by_one);
  }

  const auto written = [&](const std::string& count) {
    return choice(
        "z: [m]f32 = for " + count +
        " (e) { (h: i64, o: [m]f32) v: f32 = index o[h] p: f32 = mul v 0.5f32 d: [m]f32 = "
        "update o[h] = p yield d }");
  };
  CHECK(written("m").goes_one_by_one);
  CHECK_FALSE(written("m").goes_over_again);
  CHECK_FALSE(written("3i64").goes_one_by_one);

  // (Each of the lanes inside has such a loop of its own.)
  CHECK_FALSE(choice("z: [m]f32 = soac m (e) { (l: i64, v: f32) g: f32 = for m (v) { (h: i64, o: "
                     "f32) t: f32 = index e[h] p: f32 = add o t yield p } yield g } map")
                  .goes_one_by_one);

  // What is only read.
  const std::string by_what_is_read =
      " z: [m]f32 = soac m (e) { (l: i64, v: f32) q: f32 = mul v g yield q } map";
  CHECK(choice("g: f32 = for m (0f32) { (h: i64, o: f32) w0: f32 = index e[h] p: f32 = add o w0 "
               "yield p }" +
               by_what_is_read)
            .goes_one_by_one);
  CHECK(choice("t: i64 = while (m) { (u: i64) more: bool = lt 0i64 u yield more } do { (o: i64) p: "
               "f32 = index e[o] h: i64 = convert p yield h } g: f32 = convert t" +
               by_what_is_read)
            .goes_one_by_one);

  const LaneChoice scattered =
      choice("z: [m]f32 = soac m () { (l: i64) t: i64 = mul l 3i64 yield t, 1f32 } scatter 1 e");
  CHECK(scattered.scatters);
  CHECK_FALSE(straight.scatters);
}

TEST_CASE("rows of loops on both sides of where lanes change") {
  const std::string begin =
      "fn f(n: i64, m: i64) -> [n]f32 { r: [n]f32 = soac n () { (i: i64) e: [m]f32 = soac m () { "
      "(j: i64) x: i64 = mul i j y: i64 = and x 15i64 q: f32 = convert y yield q } map z: [m]f32 "
      "= ";
  const std::string end = " s: f32 = soac m (z) { (k: i64, w: f32) yield w } reduce (0f32) { (a: "
                          "f32, b: f32) c: f32 = add a b yield c } yield s } map ret r }";
  const std::string written =
      begin +
      "for m (e) { (h: i64, o: [m]f32) g: i64 = sub m h l: i64 = sub g 1i64 t: f32 = index o[l] v: "
      "f32 = index o[h] p: f32 = mul v 0.5f32 u: f32 = add p t d: [m]f32 = update o[h] = u yield d "
      "}" +
      end;
  check_kernel(written, {{1, 40}, {5, 40}, {6, 40}, {37, 100}, {37, 600}});
  const std::string again =
      begin +
      "for 3i64 (e) { (h: i64, o: [m]f32) g: f32 = soac m (o) { (l: i64, t: f32) yield t } reduce "
      "(0f32) { (u: f32, v: f32) p: f32 = add u v yield p } d: [m]f32 = soac m (o) { (aa: i64, bb: "
      "f32) cc: f32 = div bb g yield cc } map yield d }" +
      end;
  check_kernel(again, {{70, 40}, {70, 1023}, {70, 1024}, {70, 1025}});

  // One by one, rows are worth lanes of their own only where their memory is not to be had.
  const auto has_bound = [](const std::string& text, const char* bound) {
    return kernel_text(ir::parse(text),
                       {.lanes = 16, .processor = RunnerOptions::Processor::Avx512})
               .find(bound) != std::string::npos;
  };
  CHECK(has_bound(written, ", 1048576"));
  CHECK(has_bound(written, ", 32768")); // fewer of such rows
  CHECK_FALSE(has_bound(again, ", 1048576"));
  CHECK(has_bound(again, ", 1024"));
}

TEST_CASE("lanes go down a few columns that are written as rows") {
  const ir::Function function = ir::parse(R"(fn f(n: i64, m: i64, a: [n][m]f32) -> [m][n]f32 {
    r: [m][n]f32 = soac m () { (i: i64)
      s: [n]f32 = soac n () { (j: i64)
        x: f32 = index a[j, i]
        yield x
      } map
      yield s
    } map
    ret r
  })");
  const LaneChoice choice = lane_choice(function, 16, 16, AlongRows::InLongVectors).value();
  CHECK(choice.goes_down_columns);
  CHECK(choice.makes_rows);
}
