// Maps of reductions on a device: the processor's bits at sizes around all that tiles, rows and
// blocks of the order are cut by, whichever way the segments lie in memory.
#include "both_places.h"
#include "recorded.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace sinter;
using namespace sinter::test;

namespace {

using Sizes = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Segments, and the length of each: every way in which tiles are cut.
const Sizes& segment_sizes() {
  static const Sizes sizes = {
      {0, 5},    {5, 0},    {1, 1},    {2, 2},     {1, 100000}, {3, 30000}, {31, 31},   {32, 32},
      {33, 33},  {33, 65},  {1000, 9}, {1000, 16}, {1000, 33},  {300, 64},  {1, 4097},  {40, 1000},
      {2, 4096}, {2, 4097}, {70, 300}, {9, 8200},  {100, 128},  {600, 129}, {32, 3000}, {3000, 17}};
  return sizes;
}

/// As its elements follow each other in memory, and as those of neighbours do.
std::string sum_of_rows(bool is_by_columns) {
  const std::string read =
      is_by_columns ? "    y: f32 = index xss[k, i]\n" : "    y: f32 = index xss[i, k]\n";
  const std::string extents = is_by_columns ? "[m][n]f32" : "[n][m]f32";
  return "fn f(n: i64, m: i64, xss: " + extents + R"() -> ([n]f32, [n]f64) {
  c: [n]f32, d: [n]f64 = soac n () { (i: i64)
    s: f32, t: f64 = soac m () { (k: i64)
)" + read +
         R"(    z: f64 = convert y
      yield y, z
    } reduce (0.25f32) { (a: f32, b: f32)
      g: f32 = add a b
      yield g
    } reduce (0f64) { (a1: f64, b1: f64)
      g1: f64 = add a1 b1
      yield g1
    }
    r: f32 = sqrt s
    yield r, t
  } map map
  ret c, d
})";
}

/// Gives which entry points ran for which sizes.
std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::string>>
launched_for(const Recorded& both, bool is_by_columns, std::uint64_t seed) {
  generate::Random random(seed);
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::string>> launched;
  for (const auto& [n, m] : segment_sizes()) {
    CAPTURE(n);
    CAPTURE(m);
    std::vector<std::int64_t> extents = {n, m};
    if (is_by_columns) std::swap(extents[0], extents[1]);
    launched[{n, m}] = both.check(
        {Scalar::of(n), Scalar::of(m), array_of(ElementType::F32, extents, random, any_float)});
  }
  return launched;
}

using Steps = std::vector<std::string>;
const Steps a_thread_each = {"run"}, tiles_alone = {"segments"},
            tiles_and_folds = {"segments", "fold_segments"};

} // namespace

TEST_CASE("segments whose order shows: rows of several at a time, pieces of long ones") {
  for (const std::uint64_t seed : {0, 5}) {
    auto launched = launched_for(Recorded(sum_of_rows(false), of_seed(seed)), false, seed);
    check_steps(launched[{2, 2}], a_thread_each);
    check_steps(launched[{5, 0}], a_thread_each);
    check_steps(launched[{1000, 33}], tiles_alone);
    check_steps(launched[{600, 129}], tiles_alone);
    check_steps(launched[{3, 30000}], tiles_alone);
    check_steps(launched[{1, 100000}], tiles_and_folds);
  }
}

TEST_CASE("segments that lie beside each other are read across, where they are few") {
  for (const std::uint64_t seed : {0, 6}) {
    auto launched = launched_for(Recorded(sum_of_rows(true), of_seed(seed)), true, seed);
    check_steps(launched[{3000, 17}], a_thread_each);
    check_steps(launched[{33, 65}], tiles_alone);
    check_steps(launched[{32, 3000}], tiles_and_folds);
  }
}

TEST_CASE("segments whose order does not show, of values that belong together") {
  const Both both(R"(fn f(n: i64, m: i64, xss: [n][m]i32) -> ([n]i32, [n]i64) {
  c: [n]i32, d: [n]i64 = soac n (xss) { (i: i64, xs: [m]i32)
    s: i32, l: i32, p: i64 = soac m (xs) { (k: i64, x: i32)
      yield x, x, k
    } reduce (0i32) { (a: i32, b: i32)
      g: i32 = add a b
      yield g
    } reduce (-5i32, -1i64) { (a1: i32, j: i64, b1: i32, j1: i64)
      is: bool = lt a1 b1
      q: i32 = select is b1 a1
      w: i64 = select is j1 j
      yield q, w
    }
    r: i32 = add s l
    yield r, p
  } map map
  ret c, d
})");
  generate::Random random(3);
  const Element small = [](generate::Random& numbers, std::int64_t) {
    return Scalar::of(static_cast<std::int32_t>(numbers.below(1000)));
  };
  for (const auto& [n, m] : segment_sizes())
    both.check({Scalar::of(n), Scalar::of(m), array_of(ElementType::I32, {n, m}, random, small)});
  CHECK(both.ways() == std::vector<std::string>{"segmented_reduce"});
}

TEST_CASE("segments whose order does not show: threads of a warp, of a block, of several") {
  for (const bool is_by_columns : {false, true}) {
    CAPTURE(is_by_columns);
    const std::string text = "fn f(n: i64, p: i64, m: i64, xsss: " +
                             std::string(is_by_columns ? "[m][n][p]i16" : "[n][p][m]i16") +
                             R"() -> [n][p]i16 {
  c: [n][p]i16 = soac n () { (i: i64)
    d: [p]i16 = soac p () { (j: i64)
      s: i16 = soac m () { (k: i64)
)" +
                             (is_by_columns ? "        x: i16 = index xsss[k, i, j]\n"
                                            : "        x: i16 = index xsss[i, j, k]\n") +
                             R"(        yield x
      } reduce (0i16) { (a: i16, b: i16)
        g: i16 = add a b
        yield g
      }
      yield s
    } map
    yield d
  } map
  ret c
})";
    for (const std::uint64_t seed : {0, 8}) {
      const Recorded both(text, of_seed(seed));
      generate::Random random(seed);
      const Element small = [](generate::Random& numbers, std::int64_t) {
        return Scalar::of(static_cast<std::int16_t>(numbers.below(1000)));
      };
      const auto launched = [&](std::int64_t n, std::int64_t p, std::int64_t m) {
        std::vector<std::int64_t> extents = {n, p, m};
        if (is_by_columns) std::rotate(extents.begin(), extents.begin() + 2, extents.end());
        return both.check({Scalar::of(n), Scalar::of(p), Scalar::of(m),
                           array_of(ElementType::I16, extents, random, small)});
      };
      const Steps groups_alone = {"groups"}, groups_and_folds = {"groups", "fold_segments"};
      check_steps(launched(3, 2, 5), a_thread_each);
      check_steps(launched(4, 5, 9), groups_alone);
      check_steps(launched(7, 11, 33), groups_alone);
      check_steps(launched(5, 33, 300), groups_alone);
      check_steps(launched(3, 1, 1100), is_by_columns ? groups_and_folds : groups_alone);
      check_steps(launched(1, 2, 9000), groups_and_folds);
      check_steps(launched(1, 1, 70001), groups_and_folds);
    }
  }
}

TEST_CASE("segments that each begin with a number of their own") {
  for (const bool is_by_columns : {false, true}) {
    const std::string read = is_by_columns ? "index xss[k, i]" : "index xss[i, k]";
    const std::string extents = is_by_columns ? "[m][n]f32" : "[n][m]f32";
    const Both both("fn f(n: i64, m: i64, ne: [n]f32, le: [n]i64, xss: " + extents +
                    R"() -> ([n]f32, [n]i64) {
  c: [n]f32, d: [n]i64 = soac n (ne, le) { (i: i64, e: f32, l: i64)
    s: f32, t: i64 = soac m () { (k: i64)
      y: f32 = )" + read +
                    R"(
      yield y, k
    } reduce (e) { (a: f32, b: f32)
      g: f32 = add a b
      yield g
    } reduce (l) { (a1: i64, b1: i64)
      g1: i64 = max a1 b1
      yield g1
    }
    yield s, t
  } map map
  ret c, d
})");
    generate::Random random(4);
    for (const auto& [n, m] : segment_sizes())
      both.check({Scalar::of(n), Scalar::of(m), array_of(ElementType::F32, {n}, random, any_float),
                  array_of(ElementType::I64, {n}, random, below(2 * m + 1)),
                  is_by_columns ? array_of(ElementType::F32, {m, n}, random, any_float)
                                : array_of(ElementType::F32, {n, m}, random, any_float)});
    // (What is read by columns goes by tiles, along the rows of many segments.)
    CHECK(both.ways() == std::vector<std::string>{is_by_columns ? "tile" : "segmented_reduce"});
  }
}

TEST_CASE("segments of maps of maps") {
  const Both both(R"(fn f(n: i64, p: i64, m: i64, xss: [n][m]f32, yss: [p][m]f64) -> [n][p]f64 {
  c: [n][p]f64 = soac n (xss) { (i: i64, xs: [m]f32)
    d: [p]f64 = soac p (yss) { (j: i64, ys: [m]f64)
      s: f64 = soac m (xs, ys) { (k: i64, x: f32, y: f64)
        w: f64 = convert x
        z: f64 = mul w y
        v: f64 = add z y
        yield v
      } reduce (0f64) { (a: f64, b: f64)
        g: f64 = add a b
        yield g
      }
      o: f64 = convert j
      q: f64 = add s o
      yield q
    } map
    yield d
  } map
  ret c
})");
  generate::Random random(9);
  const Element number = [](generate::Random& numbers, std::int64_t) {
    return Scalar::of(static_cast<double>(numbers.below(1 << 20)) / 3.0);
  };
  for (const auto& [n, p, m] : {std::array<std::int64_t, 3>{0, 3, 40},
                                {1, 1, 5000},
                                {3, 1, 100},
                                {3, 5, 33},
                                {2, 3, 20000},
                                {17, 7, 100},
                                {5, 0, 9},
                                {40, 40, 12}})
    both.check({Scalar::of(n), Scalar::of(p), Scalar::of(m),
                array_of(ElementType::F32, {n, m}, random, any_float),
                array_of(ElementType::F64, {p, m}, random, number)});
}

TEST_CASE("a segment that fails tells the least index, whoever has computed it") {
  const Both both(R"(fn f(n: i64, m: i64, xss: [n][m]i64) -> [n]i64 {
  c: [n]i64 = soac n (xss) { (i: i64, xs: [m]i64)
    s: i64 = soac m (xs) { (k: i64, x: i64)
      is_small: bool = lt x 3000i64
      check is_small, "large"
      yield x
    } reduce (0i64) { (a: i64, b: i64)
      g: i64 = add a b
      yield g
    }
    yield s
  } map
  ret c
})");
  MemoryBudget memory;
  jit::RunContext context{.memory = &memory};
  for (const auto& [n, m] : Sizes{{40, 100}, {200, 20}, {8, 10000}, {100, 64}}) {
    CAPTURE(n);
    ir::DenseArray numbers{ElementType::I64, {n, m}, {}};
    for (std::int64_t i = 0; i < n * m; ++i)
      numbers.elements.push_back(Scalar::of(std::int64_t{i / m > 6            ? 4000
                                                         : i == 5 * m + m - 1 ? 3000
                                                                              : 7}));
    const jit::Outcome outcome = both.on_device->run(
        to_leaves(both.on_device->function(), {Scalar::of(n), Scalar::of(m), numbers}, memory,
                  Arrangement::Dense),
        context);
    REQUIRE(std::holds_alternative<jit::Stopped>(outcome));
    CHECK(std::get<jit::Stopped>(outcome).first_index == 5);
  }
  CHECK(both.ways() == std::vector<std::string>{"segmented_reduce"});
}
