#include "jit/runtime/few_rows.h"

#include "jit/ir/parse.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace sinter;

TEST_CASE("which maps the host goes through, by sizes") {
  const auto rows_of = [](const std::string& result) {
    return jit::FewRows::of(
        ir::parse("fn f(n: i64, m: i64, xss: [n][m]f32) -> " + result + " { r: " + result +
                  " = soac n (xss) { (i: i64, xs: [m]f32) " +
                  "s: f32 = soac m (xs) { (j: i64, x: f32) yield x } reduce (0f32) " +
                  "{ (a: f32, b: f32) c: f32 = add a b yield c } " +
                  (result == "[n]f32" ? "yield s } map ret r }"
                                      : "ys: [m]f32 = soac m (xs) { (k: i64, v: f32) "
                                        "w: f32 = sub v s yield w } map yield ys } map ret r }")));
  };
  const std::optional<jit::FewRows> numbers = rows_of("[n]f32"), rows = rows_of("[n][m]f32");
  REQUIRE(numbers);
  REQUIRE(rows);
  const auto applies = [](const jit::FewRows& few, std::int64_t n, std::int64_t m,
                          unsigned threads) {
    const std::vector<jit::Datum> arguments = {Scalar::of(n), Scalar::of(m)};
    return few.applies(arguments, threads, 0);
  };
  constexpr std::int64_t some = 1 << 15, large = 1 << 22;
  for (const jit::FewRows& few : {*numbers, *rows}) {
    CHECK(applies(few, 1, some, 2));
    CHECK(applies(few, 3, some, 4));
    CHECK(!applies(few, 1, some - 1, 2));
    CHECK(!applies(few, 2, some, 2)); // one for each thread
    CHECK(!applies(few, 1, large, 1));
    CHECK(!applies(few, 0, large, 2));
  }
  CHECK(applies(*numbers, 2, large, 2));
  CHECK(applies(*numbers, 64, large, 2));
  CHECK(!applies(*numbers, 2, large - 1, 2));
  CHECK(!applies(*numbers, 65, large, 2));
  CHECK(!applies(*rows, 2, large, 2)); // they would be copied
}

TEST_CASE("loops over rows that do not stay in a thread's cache are gone through by the host") {
  const auto rows_of = [](const std::string& result) {
    return jit::FewRows::of(ir::parse(
        "fn f(n: i64, m: i64, k: i64, xss: [n][m]f32) -> " + result + " { r: " + result +
        " = soac n (xss) { (i: i64, xs: [m]f32) ys: [m]f32 = for k (xs) { (q: i64, zs: [m]f32) "
        "s: f32 = soac m (zs) { (j: i64, x: f32) yield x } reduce (0f32) { (a: f32, b: f32) "
        "c: f32 = add a b yield c } vs: [m]f32 = soac m (zs) { (l: i64, v: f32) w: f32 = sub v s "
        "yield w } map yield vs } " +
        (result == "[n]f32" ? "z: f32 = index ys[0i64] yield z } map ret r }"
                            : "yield ys } map ret r }")));
  };
  for (const std::string result : {"[n]f32", "[n][m]f32"}) {
    CAPTURE(result);
    const std::optional<jit::FewRows> few = rows_of(result);
    REQUIRE(few);
    const auto applies = [&](std::int64_t n, std::int64_t m) {
      const std::vector<jit::Datum> arguments = {Scalar::of(n), Scalar::of(m),
                                                 Scalar::of(std::int64_t{5})};
      return few->applies(arguments, 2, 0);
    };
    constexpr std::int64_t large = 1 << 18;
    CHECK(applies(2, large));
    CHECK(applies(64, large));
    CHECK(!applies(2, large - 1));
    CHECK(!applies(65, large));
    CHECK(applies(1, 1 << 15));
  }
}

TEST_CASE("so it does where the elements are folded, if they are numbers") {
  const auto few = [](const std::string& type, const std::string& element,
                      const std::string& group) {
    return jit::FewRows::of(ir::parse(
        "fn f(n: i64, m: i64, xss: [n][m]f32, zs: [m]f32) -> " + type + " { r: " + type +
        " = soac n (xss) { (i: i64, xs: [m]f32) "
        "s: f32 = soac m (xs) { (j: i64, x: f32) yield x } reduce (0f32) "
        "{ (a: f32, b: f32) c: f32 = add a b yield c } "
        "ys: [m]f32 = soac m (xs) { (k: i64, v: f32) w: f32 = sub v s yield w } map yield " +
        element + " } " + group + " ret r }"));
  };
  const std::string of_numbers = "(0f32) { (d: f32, e: f32) g: f32 = add d e yield g }";
  const auto applies = [](const jit::FewRows& rows, std::int64_t n, std::int64_t m) {
    const std::vector<jit::Datum> arguments = {Scalar::of(n), Scalar::of(m)};
    return rows.applies(arguments, 2, 0);
  };
  for (const bool scans : {false, true}) {
    const auto rows =
        few(scans ? "[n]f32" : "f32", "s", (scans ? "scan " : "reduce ") + of_numbers);
    REQUIRE(rows);
    CHECK(applies(*rows, 1, 1 << 15));
    CHECK(applies(*rows, 10, 1 << 22));
    CHECK(!applies(*rows, 10, 1 << 20));
  }
  CHECK(!few("[m]f32", "ys",
             "reduce (zs) { (d: [m]f32, e: [m]f32) g: [m]f32 = soac m (d, e) { (q: i64, h: f32, "
             "o: f32) p: f32 = add h o yield p } map yield g }"));
}
