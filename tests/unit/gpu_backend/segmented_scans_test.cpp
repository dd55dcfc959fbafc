// Maps of scans on a device: the processor's bits at sizes around all that tiles, rows and blocks
// of the order are cut by, whichever way the segments lie in memory.
#include "both_places.h"
#include "recorded.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

using namespace sinter;
using namespace sinter::test;

namespace {

using Entries = std::vector<std::string>;
const Entries thread_each = {"run"}, prefixes_alone = {"prefixes"},
              with_carries = {"segments", "carries", "prefixes"}, one_pass = {"scan_segments"};

/// Segments, and the length of each: every way in which tiles are cut.
constexpr std::pair<std::int64_t, std::int64_t> scanned_segments[] = {
    {0, 5},     {5, 0},     {1, 1},     {2, 2},     {1, 100000}, {3, 30000}, {31, 31},
    {32, 32},   {33, 33},   {33, 65},   {1000, 9},  {1000, 16},  {1000, 33}, {300, 64},
    {1, 4097},  {40, 1000}, {2, 4096},  {2, 4097},  {70, 300},   {9, 8200},  {100, 128},
    {600, 129}, {32, 3000}, {3000, 17}, {2, 12288}, {1, 8193},   {5, 16384}};

/// Of an operator whose neutral element is none, and of one of two values; a map beside them.
std::string scans_in_order(bool is_by_columns) {
  const std::string read =
      is_by_columns ? "    x: f32 = index xss[k, i]\n" : "    x: f32 = index xss[i, k]\n";
  const std::string extents = is_by_columns ? "[m][n]f32" : "[n][m]f32";
  return "fn f(n: i64, m: i64, xss: " + extents +
         R"() -> ([n][m]f32, [n][m]f32, [n][m]f64, [n][m]i64) {
  d: [n][m]f32, c: [n][m]f32, e: [n][m]f64, o: [n][m]i64 = soac n () { (i: i64)
    s: [m]f32, y: [m]f32, t: [m]f64, l: [m]i64 = soac m () { (k: i64)
)" + read +
         R"(      w: f32 = mul x 0.3f32
      z: f64 = convert x
      yield w, w, z, k
    } scan (0.1f32) { (a: f32, b: f32)
      p: f32 = mul a 1.1f32
      g: f32 = add p b
      yield g
    } map scan (0f64, -1i64) { (a1: f64, j: i64, b1: f64, q: i64)
      g1: f64 = add a1 b1
      is: bool = lt a1 b1
      r: i64 = select is j q
      yield g1, r
    }
    yield y, s, t, l
  } map map map map
  ret d, c, e, o
})";
}

} // namespace

TEST_CASE("scans of segments whose order shows: rows of several at a time, blocks of long ones") {
  for (const std::uint64_t seed : {0, 5}) {
    const Recorded both(scans_in_order(false), of_seed(seed));
    generate::Random random(seed);
    std::uint64_t place = 0;
    for (const auto& [n, m] : scanned_segments) {
      if (!is_tried(place++, 3)) continue;
      CAPTURE(n);
      CAPTURE(m);
      const Entries launched = both.check(
          {Scalar::of(n), Scalar::of(m), array_of(ElementType::F32, {n, m}, random, any_float)});
      if (n * m == 0) continue;
      check_steps(launched, m <= 8               ? thread_each
                            : m > 4096 && n == 1 ? with_carries
                                                 : prefixes_alone);
    }
  }
}

TEST_CASE("scans of segments that lie beside each other are read across, where they are few") {
  for (const std::uint64_t seed : {0, 6}) {
    const Recorded both(scans_in_order(true), of_seed(seed));
    generate::Random random(seed);
    const auto launched = [&](std::int64_t n, std::int64_t m) {
      return both.check(
          {Scalar::of(n), Scalar::of(m), array_of(ElementType::F32, {m, n}, random, any_float)});
    };
    check_steps(launched(3000, 17), thread_each);
    check_steps(launched(33, 65), prefixes_alone);
    check_steps(launched(7, 1000), prefixes_alone);
    check_steps(launched(16, 9000), with_carries);
    check_steps(launched(3, 20000), with_carries);
  }
}

TEST_CASE("scans of segments whose order does not show are one pass over all of them") {
  const std::string text =
      R"(fn f(n: i64, m: i64, least: i8, xss: [n][m]i64) -> ([n][m]i64, [n][m]i64, [n][m]i8, [n][m]bool, [n][m]i64) {
  c: [n][m]i64, d: [n][m]i64, e: [n][m]i8, o: [n][m]bool, w: [n][m]i64 = soac n (xss) { (i: i64, xs: [m]i64)
    s: [m]i64, t: [m]i64, l: [m]i8, u: [m]bool, ys: [m]i64 = soac m (xs) { (k: i64, x: i64)
      y: i64 = mul x k
      z: i8 = convert x
      is: bool = ne x 5i64
      yield x, y, z, is, y
    } scan (0i64, 1i64) { (a: i64, p: i64, a1: i64, q: i64)
      b: i64 = add a a1
      r: i64 = mul p q
      yield b, r
    } scan (least) { (h: i8, g: i8)
      v: i8 = min h g
      yield v
    } scan (true) { (j: bool, j1: bool)
      j2: bool = and j j1
      yield j2
    } map
    yield s, t, l, u, ys
  } map map map map map
  ret c, d, e, o, w
})";
  for (const std::uint64_t seed : {0, 3}) {
    if (!is_tried(seed)) continue;
    const Recorded both(text, of_seed(seed));
    generate::Random random(seed);
    std::uint64_t place = 0;
    for (const auto& [n, m] : scanned_segments) {
      if (!is_tried(place++, 3)) continue;
      CAPTURE(n);
      CAPTURE(m);
      const Entries launched =
          both.check({Scalar::of(n), Scalar::of(m), Scalar::of(std::int8_t{100}),
                      array_of(ElementType::I64, {n, m}, random, below(std::int64_t{1} << 40))});
      if (n * m > 0) check_steps(launched, m <= 8 ? thread_each : one_pass);
    }
  }
}

TEST_CASE("scans of maps of maps, whichever way their elements lie") {
  for (const bool is_by_columns : {false, true}) {
    CAPTURE(is_by_columns);
    const std::string text = "fn f(n: i64, p: i64, m: i64, xsss: " +
                             std::string(is_by_columns ? "[m][n][p]i16" : "[n][p][m]i16") +
                             R"() -> ([n][p][m]i16, [n][p][m]i16) {
  c: [n][p][m]i16, e: [n][p][m]i16 = soac n () { (i: i64)
    d: [p][m]i16, g: [p][m]i16 = soac p () { (j: i64)
      s: [m]i16, t: [m]i16 = soac m () { (k: i64)
)" +
                             (is_by_columns ? "        x: i16 = index xsss[k, i, j]\n"
                                            : "        x: i16 = index xsss[i, j, k]\n") +
                             R"(        h: i16 = convert j
        y: i16 = add x h
        yield y, x
      } scan (0i16) { (a: i16, b: i16)
        q: i16 = add a b
        yield q
      } map
      yield s, t
    } map map
    yield d, g
  } map map
  ret c, e
})";
    for (const std::uint64_t seed : {0, 8}) {
      const Recorded both(text, of_seed(seed));
      generate::Random random(seed);
      const Element small = [](generate::Random& numbers, std::int64_t) {
        return Scalar::of(static_cast<std::int16_t>(numbers.below(1000)));
      };
      for (const auto& [n, p, m] : {std::array<std::int64_t, 3>{0, 3, 40},
                                    {3, 2, 5},
                                    {4, 5, 9},
                                    {3, 1, 1100},
                                    {7, 11, 33},
                                    {5, 33, 300},
                                    {1, 2, 9000},
                                    {16, 16, 257},
                                    {1, 1, 70001}}) {
        CAPTURE(m);
        std::vector<std::int64_t> extents = {n, p, m};
        if (is_by_columns) std::rotate(extents.begin(), extents.begin() + 2, extents.end());
        Entries launched = both.check({Scalar::of(n), Scalar::of(p), Scalar::of(m),
                                       array_of(ElementType::I16, extents, random, small)});
        std::erase_if(launched,
                      [](const std::string& step) { return step.starts_with("transpose"); });
        if (n > 0) check_steps(launched, m <= 8 ? thread_each : one_pass);
      }
    }
  }
}

TEST_CASE("a scanned segment that fails tells the least index, whoever has computed it") {
  for (const std::string_view type : {"i64", "f64"}) {
    std::string text = R"(fn f(n: i64, m: i64, xss: [n][m]TYPE) -> [n][m]TYPE {
  c: [n][m]TYPE = soac n (xss) { (i: i64, xs: [m]TYPE)
    s: [m]TYPE = soac m (xs) { (k: i64, x: TYPE)
      is_small: bool = lt x 3000TYPE
      check is_small, "large"
      yield x
    } scan (0TYPE) { (a: TYPE, b: TYPE)
      g: TYPE = add a b
      yield g
    }
    yield s
  } map
  ret c
})";
    for (std::size_t at = text.find("TYPE"); at != std::string::npos; at = text.find("TYPE", at))
      text.replace(at, 4, type);
    const Both both(text);
    MemoryBudget memory;
    jit::RunContext context{.memory = &memory};
    for (const auto& [n, m] : std::initializer_list<std::pair<std::int64_t, std::int64_t>>{
             {40, 100}, {200, 20}, {8, 10000}, {100, 64}}) {
      CAPTURE(n);
      const auto number = [&](std::int64_t value) {
        return type == "i64" ? Scalar::of(value) : Scalar::of(static_cast<double>(value));
      };
      ir::DenseArray numbers{type == "i64" ? ElementType::I64 : ElementType::F64, {n, m}, {}};
      for (std::int64_t i = 0; i < n * m; ++i)
        numbers.elements.push_back(number(i / m > 6            ? 4000
                                          : i == 5 * m + m - 1 ? 3000
                                                               : std::int64_t{7}));
      const jit::Outcome outcome = both.on_device->run(
          to_leaves(both.on_device->function(), {Scalar::of(n), Scalar::of(m), numbers}, memory,
                    Arrangement::Dense),
          context);
      REQUIRE(std::holds_alternative<jit::Stopped>(outcome));
      CHECK(std::get<jit::Stopped>(outcome).first_index == 5);
    }
    CHECK(both.ways() == std::vector<std::string>{"segmented_scan"});
  }
}
