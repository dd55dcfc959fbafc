#include "jit/runtime/short_rows.h"

#include "jit/ir/parse.h"
#include "jit/ir/print.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter;
using namespace sinter::jit;
using Code = ShortRowsTimes::Code;

namespace {

constexpr std::string_view sums = R"(fn f(n: i64, m: i64, xss: [n][m]f32) -> [n]f32 {
  ss: [n]f32 = soac n (xss) { (i: i64, xs: [m]f32)
    s: f32 = soac m (xs) { (j: i64, x: f32)
      yield x
    } reduce (0f32) { (a: f32, b: f32)
      c: f32 = add a b
      yield c
    }
    yield s
  } map
  ret ss
})";

/// A map of maps over rows of `m` elements, the last one's inputs and body without its end: it
/// makes `y`.  `c` is a row beside them.
std::string nest(const std::string& last, const std::string& m = "m") {
  const std::string row = "[" + m + "]f32", rows = "[n]" + row;
  return "fn f(n: i64, m: i64, xss: " + rows + ", c: " + row + ") -> " + rows + " { yss: " + rows +
         " = soac n (xss) { (i: i64, xs: " + row + ") ys: " + row + " = soac " + m + " " + last +
         " yield y } map yield ys } map ret yss }";
}
constexpr const char* going_by_places =
    "(xs) { (j: i64, x: f32) first: bool = eq j 0i64 y: f32 = select first 0f32 x";

std::optional<ShortRows::Launch> met(const ShortRows& rows, std::int64_t n, std::int64_t m,
                                     std::int64_t least = ShortRows::least_rows) {
  return rows.met(std::vector<Datum>{Scalar::of(n), Scalar::of(m), Leaf{}}, least);
}

} // namespace

TEST_CASE("many rows, if they are short") {
  const std::optional<ShortRows> rows = ShortRows::of(ir::parse(sums));
  REQUIRE(rows);
  REQUIRE(met(*rows, 1000, 3));
  CHECK(met(*rows, 1000, 3)->extents == ShortRows::Extents{3});
  CHECK(met(*rows, 1000, 3)->rows == 1000);
  CHECK_FALSE(met(*rows, 1000, 100)); // long ones
  CHECK_FALSE(met(*rows, 1000, 0));
  CHECK_FALSE(met(*rows, 10, 3)); // few
  CHECK(met(*rows, 10, 3, 1));
}

TEST_CASE("extents that lanes and threads lie on are none of rows") {
  CHECK_FALSE(ShortRows::of(ir::parse(nest("(xs) { (j: i64, x: f32) y: f32 = add x 1f32"))));
  // Rows of rows: so many as there are in all.
  const std::optional<ShortRows> rows =
      ShortRows::of(ir::parse(R"(fn f(n: i64, m: i64, xss: [n][m][m]f32, k: i64) -> [n][k]f32 {
  yss: [n][k]f32 = soac n () { (i: i64)
    ys: [k]f32 = soac k () { (j: i64)
      y: f32 = for m (0f32) { (r: i64, s: f32)
        x: f32 = index xss[i, r, r]
        t: f32 = add s x
        yield t
      }
      yield y
    } map
    yield ys
  } map
  ret yss
})"));
  REQUIRE(rows);
  const auto launch =
      rows->met(std::vector<Datum>{Scalar::of<std::int64_t>(10), Scalar::of<std::int64_t>(2),
                                   Leaf{}, Scalar::of<std::int64_t>(20)},
                ShortRows::least_rows);
  REQUIRE(launch);
  CHECK(launch->rows == 200);
  // (More than can be counted.)
  constexpr std::int64_t much = std::int64_t{1} << 40;
  CHECK(rows->met(
      std::vector<Datum>{Scalar::of(much), Scalar::of<std::int64_t>(2), Leaf{}, Scalar::of(much)},
      ShortRows::least_rows));
  CHECK(launch->extents == ShortRows::Extents{0, 2});
}

TEST_CASE("rows whose elements go by their places are rows, though the maps be one nest") {
  const std::optional<ShortRows> rows = ShortRows::of(ir::parse(nest(going_by_places)));
  REQUIRE(rows);
  REQUIRE(met(*rows, 1000, 3));
  CHECK(met(*rows, 1000, 3)->extents == ShortRows::Extents{3});
  CHECK(met(*rows, 1000, 3)->rows == 1000);
  CHECK_FALSE(met(*rows, 1000, 17));
  // What counts the rows is none of them.
  CHECK_FALSE(ShortRows::of(ir::parse(nest(going_by_places, "n"))));
  // Or are not alike because of what is none of the row around.
  const std::optional<ShortRows> centred =
      ShortRows::of(ir::parse(nest("(xs, c) { (j: i64, x: f32, a: f32) y: f32 = sub x a")));
  REQUIRE(centred);
  const auto launch = centred->met(std::vector<Datum>{Scalar::of<std::int64_t>(1000),
                                                      Scalar::of<std::int64_t>(2), Leaf{}, Leaf{}},
                                   ShortRows::least_rows);
  REQUIRE(launch);
  CHECK(launch->extents == ShortRows::Extents{2});
}

TEST_CASE("rows that an operator combines, and what else is as long as they are") {
  const std::optional<ShortRows> rows =
      ShortRows::of(ir::parse(R"(fn f(n: i64, m: i64, xss: [n][m]f32, zs: [m]f32) -> [m]f32 {
  r: [m]f32 = soac n (xss) { (i: i64, xs: [m]f32)
    yield xs
  } reduce (zs) { (a: [m]f32, b: [m]f32)
    c: [m]f32 = soac m (a, b) { (j: i64, x: f32, y: f32)
      z: f32 = add x y
      yield z
    } map
    yield c
  }
  ret r
})"));
  REQUIRE(rows);
  CHECK(met(*rows, 1000, 3));
  const ir::Function reversed = ir::parse(R"(fn f(n: i64, m: i64, xss: [n][m]f32, k: i64, l: i64)
      -> [n][m]f32 {
  yss: [n][m]f32 = soac n (xss) { (i: i64, xs: [m]f32)
    s: [k]f32 = slice xs[l:-1i64]
    ys: [k]f32 = soac k (s) { (j: i64, x: f32)
      yield x
    } map
    r: [m]f32 = reshape ys
    yield r
  } map
  ret yss
})");
  const std::optional<ShortRows> same_length = ShortRows::of(reversed);
  REQUIRE(same_length);
  const auto launch = same_length->met(
      std::vector<Datum>{Scalar::of<std::int64_t>(1000), Scalar::of<std::int64_t>(3), Leaf{},
                         Scalar::of<std::int64_t>(3), Scalar::of<std::int64_t>(2)},
      ShortRows::least_rows);
  REQUIRE(launch);
  CHECK(ir::print(same_length->specialised(reversed, launch->extents)).find("[3]f32 = reshape") !=
        std::string::npos);
}

TEST_CASE("eight extents may be short") {
  std::string parameters = "n: i64", rows, sum = "0i64";
  std::vector<Datum> arguments{Scalar::of<std::int64_t>(100)};
  ShortRows::Extents extents{};
  for (int i = 0; i < 8; ++i) {
    const std::string number = std::to_string(i);
    parameters += ", m" + number + ": i64";
    rows += "    r" + number + ": i64 = soac m" + number + " () { (j" + number + ": i64)\n" +
            "      yield j" + number + "\n    } reduce (" + sum + ") { (a" + number + ": i64, b" +
            number + ": i64)\n      c" + number + ": i64 = add a" + number + " b" + number +
            "\n      yield c" + number + "\n    }\n";
    sum = "r" + number;
    arguments.push_back(Scalar::of<std::int64_t>(i + 2));
    extents[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i + 2);
  }
  const ir::Function function =
      ir::parse("fn f(" + parameters + ") -> [n]i64 {\n  s: [n]i64 = soac n () { (k: i64)\n" +
                rows + "    yield r7\n  } map\n  ret s\n}");
  const std::optional<ShortRows> found = ShortRows::of(function);
  REQUIRE(found);
  const auto launch = found->met(arguments, ShortRows::least_rows);
  REQUIRE(launch);
  CHECK(launch->extents == extents);
}

TEST_CASE("what a row takes is known by its extents") {
  const ir::Function nest = ir::parse(R"(
fn f(n: i64, m: i64, k: i64, xsss: [n][m][k]f32) -> [n][m]f32 {
  yss: [n][m]f32 = soac n (xsss) { (i: i64, xss: [m][k]f32)
    ys: [m]f32 = soac m (xss) { (j: i64, xs: [k]f32)
      y: f32 = soac k (xs) { (l: i64, x: f32)
        z: f32 = mul x x
        yield z
      } reduce (0f32) { (a: f32, b: f32)
        c: f32 = add a b
        yield c
      }
      yield y
    } map
    yield ys
  } map
  ret yss
})");
  const auto taken = [&](std::int64_t n, std::int64_t m, std::int64_t k) {
    const std::vector<Datum> arguments{Scalar::of(n), Scalar::of(m), Scalar::of(k), Leaf{}};
    return row_nanoseconds(nest, arguments);
  };
  CHECK(taken(10, 10, 100) == taken(1000, 1000, 100)); // of one: however many there are
  CHECK(taken(10, 10, 100) > 9 * taken(10, 10, 10));
  CHECK(taken(10, 10, 0) > 0);
}

TEST_CASE("their extents are constants in code for them") {
  const ir::Function function = ir::parse(sums);
  const ir::Function special = ShortRows::of(function)->specialised(function, {3});
  CHECK(special.body.parameters == function.body.parameters);
  const std::string text = ir::print(special);
  CHECK(text.find("xss: [n][3]f32") != std::string::npos);
  CHECK(text.find("soac 3i64 (xs)") != std::string::npos);
}

TEST_CASE("code for short rows is made where it pays") {
  ShortRowsTimes times;
  CHECK_FALSE(times.is_worth_making(1000, 0, 5e6));
  CHECK(times.is_worth_making(4'000'000, 0, 5e6)); // one launch takes longer
  CHECK_FALSE(times.is_worth_making(4'000'000, 0, 1e9));
  // One launch takes much longer, by what a row takes.
  CHECK(times.is_worth_making(4'000'000, 1100, 1e9));
  CHECK_FALSE(times.is_worth_making(4'000'000, 900, 1e9));
  for (int i = 0; i < 30; ++i)
    times.note(Code::General, 1000, 1e6);
  CHECK(times.is_worth_making(1000, 0, 5e6));
  CHECK_FALSE(times.is_worth_making(1000, 0, 50e6));
  CHECK_FALSE(times.is_worth_making(1000, 0, 5e6, 8)); // waited for
}

TEST_CASE("the code that took less time stays") {
  for (const bool is_better : {true, false}) {
    CAPTURE(is_better);
    ShortRowsTimes times;
    times.note(Code::General, 1000, 50e3);
    times.note(Code::General, 1000, 500e3); // somebody was in the way
    int special = 0;
    for (int i = 0; i < 300; ++i) {
      const Code code = times.choose(1000);
      special += code == Code::Special;
      // (Its first run compiles.)
      const double compiling = special == 1 ? 10e6 : 0;
      times.note(code, 1000, code == Code::General ? 50e3 : is_better ? 40e3 + compiling : 60e3);
    }
    CHECK(special > (is_better ? 290 : 2));
    CHECK(special < (is_better ? 300 : 10));
  }
}

TEST_CASE("other sizes are another matter") {
  ShortRowsTimes times;
  for (int i = 0; i < 10; ++i) {
    times.note(Code::General, 1000, 50e3);
    times.note(Code::Special, 1000, 90e3);
  }
  for (int i = 0; i < 4; ++i)
    (void)times.choose(1000);
  CHECK(times.choose(1000) == Code::General);
  CHECK(times.choose(1'000'000) == Code::Special); // not tried yet
}
