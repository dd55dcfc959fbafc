// Scatters and histograms by a device's own skeletons: bit by bit as the host has them, whatever
// the indices and the order of blocks.
#include "both_places.h"
#include "gpu/ptx/assemble.h"
#include "gpu/ptx/lower.h"
#include "gpu/skeletons/skeletons.h"
#include "jit/ir/parse.h"
#include "jit/runtime/leaf_operations.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::test;

namespace {

using ScalarAt = std::function<Scalar(std::int64_t)>;

Leaf leaf_of(MemoryBudget& memory, ElementType type, const Extents& extents,
             const ScalarAt& element) {
  Leaf leaf = jit::allocate_leaf(memory, type, extents);
  std::byte* const data = leaf.buffer->overwrite();
  for (std::int64_t i = 0; i < element_count(extents); ++i)
    store_scalar(type, data, i, element(i));
  return leaf;
}

/// The same numbers for the same seed, in any order.
class Hashed {
public:
  explicit Hashed(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t at(std::int64_t i) const {
    std::uint64_t z = seed_ + 0x9e3779b97f4a7c15u * (static_cast<std::uint64_t>(i) + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// Hashed of any size, so that every sum is rounded.
  Scalar scalar(ElementType type, std::int64_t i) const {
    return with_cpp_type(type, [&]<typename T>() {
      if constexpr (std::is_same_v<T, bool>)
        return Scalar::of(at(i) % 2 == 1);
      else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
        return Scalar::of(static_cast<T>(static_cast<double>(at(i) % 2000003) / 1e4 - 37.0));
      else if constexpr (std::numeric_limits<T>::is_integer)
        return Scalar::of(static_cast<T>(at(i)));
      else
        return Scalar::of(T(static_cast<float>(at(i) % 512)));
    });
  }

private:
  std::uint64_t seed_;
};

/// Of `count` indices for so many places.
enum class Pattern : std::uint8_t { Random, One, Ascending, Descending, Few, Outside };
constexpr Pattern patterns[] = {Pattern::Random,     Pattern::One, Pattern::Ascending,
                                Pattern::Descending, Pattern::Few, Pattern::Outside};

Scalar index_of(Pattern pattern, std::int64_t i, std::int64_t count, std::int64_t places) {
  const auto random = static_cast<std::int64_t>(Hashed(11).at(i) >> 1);
  const std::int64_t some = std::max<std::int64_t>(places, 1);
  switch (pattern) {
  case Pattern::Random:
    return Scalar::of(random % some);
  case Pattern::One:
    return Scalar::of(places / 2);
  case Pattern::Ascending:
    return Scalar::of(i);
  case Pattern::Descending:
    return Scalar::of(count - 1 - i);
  case Pattern::Few:
    return Scalar::of(random % 3 * (some / 3));
  case Pattern::Outside:
    return Scalar::of(random % (3 * some) - some);
  }
  return {};
}

/// A function on a device and on the host.
class Comparison {
public:
  Comparison(const std::string& text, std::string_view word, std::uint64_t seed = 0,
             std::size_t memory_bytes = std::size_t{256} << 20)
      : text_(text), emulated_({.memory_bytes = memory_bytes, .seed = seed}),
        there_(emulated_.executable(ir::parse(text))),
        here_(jit::make_executable(ir::parse(text), host(), {})) {
    const ir::Function function = ir::parse(text);
    const gpu::SkeletonOptions options{.layouts = ir::all_dense(function.body.parameters.size())};
    CHECK_MESSAGE(gpu::make_entries(function, options).word == word, text);
  }

  /// `arguments` makes them anew each time.
  void check(const std::function<std::vector<jit::Datum>(MemoryBudget&)>& arguments) const {
    CAPTURE(text_);
    MemoryBudget memory;
    jit::RunContext context{.memory = &memory};
    const jit::Outcome expected = here_->run(arguments(memory), context);
    const jit::Outcome found = there_->run(arguments(memory), context);
    REQUIRE(found.index() == expected.index());
    if (const auto* stopped = std::get_if<jit::Stopped>(&expected)) {
      const auto& other = std::get<jit::Stopped>(found);
      CHECK(stopped->why == jit::Stopped::Why::Failed);
      CHECK(other.why == stopped->why);
      CHECK(other.site == stopped->site);
      return;
    }
    CHECK(have_same_bits(here_->function(),
                         from_leaves(std::get<std::vector<jit::Datum>>(expected)),
                         from_leaves(std::get<std::vector<jit::Datum>>(found))));
    CHECK(emulated_.backend->launches_by_host() == 0);
    for (const auto& kernel : there_->kernels(false))
      CHECK(kernel.refusals.empty());
  }
  const DevicePlace& place() const { return emulated_; }

private:
  std::string text_;
  DevicePlace emulated_;
  std::shared_ptr<jit::Executable> there_, here_;
};

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

/// Of a name in the IR.
ElementType type_named(const std::string& name) {
  const ir::Function function = ir::parse("fn f(x: " + name + ") -> " + name + " {\n  ret x\n}");
  return function.type(function.body.parameters[0]).element;
}

const std::string scatter = R"(fn f(n: i64, m: i64, js: [n]i64, xs: [n]T, d: [m]T) -> [m]T {
  e: [m]T = soac n (js, xs) { (i: i64, j: i64, x: T)
    yield j, x
  } scatter 1 d
  ret e
})";

const std::string histogram = R"(fn f(n: i64, m: i64, js: [n]i64, xs: [n]T, d: [m]T) -> [m]T {
  e: [m]T = soac n (js, xs) { (i: i64, j: i64, x: T)
    yield j, x
  } histogram 1 (d) (NEUTRAL) { (a: T, b: T)
    c: T = OP a b
    yield c
  }
  ret e
})";

const std::string several_scatters =
    R"(fn f(n: i64, m: i64, js: [n]i64, xs: [n]i32, d: [m][3]i32, e: [n]f32) -> ([n]i64, [m][3]i32, [n]f32) {
  ys: [n]i64, g: [m][3]i32, h: [n]f32 = soac n (js, xs) { (i: i64, j: i64, x: i32)
    k: i64 = mod j 4i64
    z: f32 = convert x
    y: i64 = add i j
    yield y, j, k, x, j, z
  } map scatter 2 d scatter 1 e
  ret ys, g, h
})";

const std::string several_histograms =
    R"(fn f(n: i64, m: i64, js: [n]i64, xs: [n]i32, d: [m]i32, e: [m]u8, g: [3][m]i64) -> ([m]i32, [m]u8, [n]i32, [3][m]i64) {
  d1: [m]i32, e1: [m]u8, ys: [n]i32, g1: [3][m]i64 = soac n (js, xs) { (i: i64, j: i64, x: i32)
    b: u8 = convert x
    w: i64 = convert x
    k: i64 = mod i 4i64
    y: i32 = add x x
    yield j, x, b, y, k, j, w
  } histogram 1 (d, e) (-2147483648i32, 0u8) { (a: i32, b1: u8, a2: i32, b2: u8)
    c: i32 = max a a2
    h: u8 = add b1 b2
    yield c, h
  } map histogram 2 (g) (0i64) { (p: i64, q: i64)
    r: i64 = add p q
    yield r
  }
  ret d1, e1, ys, g1
})";

const std::string tuples_with_order =
    R"(fn f(n: i64, m: i64, js: [n]i64, xs: [n]f32, d: [m][2]f32, e: [m][2]i64) -> ([n]f32, [m][2]f32, [m][2]i64) {
  ys: [n]f32, d1: [m][2]f32, e1: [m][2]i64 = soac n (js, xs) { (i: i64, j: i64, x: f32)
    k: i64 = mod i 3i64
    y: f32 = mul x x
    yield y, j, k, x, i
  } map histogram 2 (d, e) (-1000f32, -1i64) { (a: f32, i1: i64, b: f32, i2: i64)
    is_more: bool = lt a b
    c: f32 = select is_more b a
    l: i64 = select is_more i2 i1
    yield c, l
  }
  ret ys, d1, e1
})";

/// Of functions with the parameters of the first two.
std::vector<jit::Datum> arguments_for(MemoryBudget& memory, ElementType type, Pattern pattern,
                                      std::int64_t count, std::int64_t places) {
  const Hashed values(5), old(7);
  return {Scalar::of(count), Scalar::of(places),
          leaf_of(memory, ElementType::I64, {count},
                  [&](std::int64_t i) { return index_of(pattern, i, count, places); }),
          leaf_of(memory, type, {count}, [&](std::int64_t i) { return values.scalar(type, i); }),
          leaf_of(memory, type, {places}, [&](std::int64_t i) { return old.scalar(type, i); })};
}

void check_patterns(const Comparison& comparison, ElementType type,
                    std::initializer_list<std::int64_t> counts,
                    std::initializer_list<std::int64_t> places) {
  for (const std::int64_t count : counts)
    for (const std::int64_t m : places)
      for (const Pattern pattern : patterns) {
        CAPTURE(count);
        CAPTURE(m);
        CAPTURE(static_cast<int>(pattern));
        comparison.check(
            [&](MemoryBudget& memory) { return arguments_for(memory, type, pattern, count, m); });
      }
}

/// The part of `count` elements from `begin` on of a leaf made for that.
Leaf part_of(MemoryBudget& memory, ElementType type, std::int64_t begin, std::int64_t count,
             const ScalarAt& element) {
  const std::int64_t begins[] = {begin}, strides[] = {1};
  return jit::slice_leaf(
      leaf_of(memory, type, {begin + count}, [&](std::int64_t i) { return element(i - begin); }),
      begins, strides, {count});
}

/// Keys and elements that begin anywhere, together and each by itself, for so many destinations.
void check_streams(const Comparison& comparison, ElementType key, ElementType type,
                   std::uint64_t destinations = 1) {
  const Hashed keys(11), values(5);
  const std::int64_t many = is_sanitized ? 20'000 : 150'001;
  for (const std::int64_t count :
       {std::int64_t{0}, std::int64_t{3}, std::int64_t{1000}, std::int64_t{4099}, many})
    for (const std::int64_t places : {7, 300, 14'000})
      for (const auto& [keys_begin, values_begin] : {std::pair(0, 0), {1, 0}, {0, 3}, {16, 32}}) {
        CAPTURE(count);
        CAPTURE(places);
        CAPTURE(keys_begin);
        CAPTURE(values_begin);
        comparison.check([&](MemoryBudget& memory) {
          std::vector<jit::Datum> arguments = {
              Scalar::of(count), Scalar::of(places),
              part_of(memory, key, keys_begin, count,
                      [&](std::int64_t i) {
                        // (Some of them outside, on either side.)
                        const auto near = static_cast<std::int64_t>(keys.at(i) >> 1) % (places + 9);
                        return with_cpp_type(key, [&]<typename T>() {
                          return Scalar::of(static_cast<T>(near - 4));
                        });
                      }),
              part_of(memory, type, values_begin, count,
                      [&](std::int64_t i) { return values.scalar(type, i); })};
          for (std::uint64_t seed = 7; seed < 7 + destinations; ++seed)
            arguments.emplace_back(leaf_of(memory, type, {places}, [&](std::int64_t i) {
              return Hashed(seed).scalar(type, i);
            }));
          return arguments;
        });
      }
}

} // namespace

TEST_CASE("the last write of a scatter stays, on a device as on the host") {
  for (const std::string name : {"i32", "u8", "f64", "i16", "bool"})
    for (const std::uint64_t seed : {0, 3}) {
      const Comparison comparison(replaced(scatter, "T", name), "scatter", seed);
      check_patterns(comparison, type_named(name), {0, 1, 2, 33, 700}, {1, 2, 31, 32, 1000});
    }
  const Comparison large(replaced(scatter, "T", "i32"), "scatter", 9);
  check_patterns(large, ElementType::I32, {20'000}, {100'000, 64});
}

TEST_CASE("scatters of several places and dimensions, with maps beside them") {
  const Comparison comparison(several_scatters, "scatter", 4);
  for (const Pattern pattern : patterns)
    for (const std::int64_t count : {1, 40, 500})
      comparison.check([&](MemoryBudget& memory) {
        const Hashed hashed(3);
        constexpr std::int64_t m = 50;
        const auto of = [&](ElementType type, Extents extents) {
          return leaf_of(memory, type, extents,
                         [&](std::int64_t i) { return hashed.scalar(type, i); });
        };
        // (The destination is turned: its places are not where they seem to be.)
        const std::uint32_t turned[] = {1, 0};
        return std::vector<jit::Datum>{
            Scalar::of(count),
            Scalar::of(m),
            leaf_of(memory, ElementType::I64, {count},
                    [&](std::int64_t i) { return index_of(pattern, i, count, m); }),
            of(ElementType::I32, {count}),
            jit::transpose_leaf(of(ElementType::I32, {3, m}), turned),
            of(ElementType::F32, {count})};
      });
}

TEST_CASE("a check that fails in a scatter is told as the host tells it") {
  const Comparison comparison(R"(fn f(n: i64, m: i64, js: [n]i64, xs: [n]i32, d: [m]i32) -> [m]i32 {
  e: [m]i32 = soac n (js, xs) { (i: i64, j: i64, x: i32)
    is_near: bool = lt i 600i64
    check is_near, "far"
    is_small: bool = lt j 900i64
    check is_small, "large"
    yield j, x
  } scatter 1 d
  ret e
})",
                              "scatter", 6);
  check_patterns(comparison, ElementType::I32, {5, 700}, {1000});
}

TEST_CASE("histograms whose order cannot show have the host's bits on a device") {
  struct Case {
    const char *type, *neutral, *op;
  };
  const Case cases[] = {
      {"i32", "0i32", "add"},  {"i64", "0i64", "add"},         {"u8", "0u8", "add"},
      {"i16", "1i16", "mul"},  {"i64", "1i64", "mul"},         {"u32", "1u32", "mul"},
      {"i8", "127i8", "min"},  {"u16", "0u16", "max"},         {"i32", "-1i32", "and"},
      {"u64", "0u64", "or"},   {"i64", "0i64", "xor"},         {"bool", "false", "or"},
      {"bool", "true", "and"}, {"bool", "false", "ne"},        {"bool", "true", "eq"},
      {"u64", "0u64", "max"},  {"i32", "2147483647i32", "min"}};
  std::uint64_t place = 0;
  for (const Case& one : cases) {
    const std::uint64_t seed = place++;
    if (!is_tried(seed, 4)) continue;
    std::string text = replaced(histogram, "NEUTRAL", one.neutral);
    text = replaced(replaced(text, "OP", one.op), "T", one.type);
    const Comparison comparison(text, "histogram", seed % 3);
    check_patterns(comparison, type_named(one.type), {0, 1, 33, 700}, {1, 2, 31, 1000});
  }
}

TEST_CASE("histograms of many bins: several passes, and none where there are too many") {
  std::string text = replaced(replaced(histogram, "NEUTRAL", "0i32"), "OP", "add");
  const Comparison comparison(replaced(text, "T", "i32"), "histogram", 2);
  check_patterns(comparison, ElementType::I32, {30'000}, {3, 12'000, 20'000, 100'000});
}

TEST_CASE("histograms read elements by 16 bytes, or several one by one, wherever streams begin") {
  struct Case {
    const char *key, *type, *neutral, *op;
  };
  const Case cases[] = {{"i32", "i32", "0i32", "add"}, {"i8", "i32", "0i32", "add"},
                        {"u8", "u8", "0u8", "add"},    {"i16", "i64", "-1i64", "and"},
                        {"i64", "i8", "127i8", "min"}, {"u32", "i16", "-32768i16", "max"},
                        {"i64", "i64", "1i64", "mul"}, {"i32", "bool", "false", "ne"}};
  std::uint64_t place = 0;
  for (const Case& one : cases) {
    const std::uint64_t seed = place++;
    if (!is_tried(seed, 4)) continue;
    std::string text = replaced(replaced(histogram, "NEUTRAL", one.neutral), "OP", one.op);
    text = replaced(replaced(text, "js: [n]i64", "js: [n]" + std::string(one.key)),
                    "(i: i64, j: i64, x: T)", "(i: i64, j: " + std::string(one.key) + ", x: T)");
    text = replaced(text, "yield j, x", "k: i64 = convert j\n    yield k, x");
    const Comparison comparison(replaced(text, "T", one.type), "histogram", seed % 3);
    check_streams(comparison, type_named(one.key), type_named(one.type));
  }
}

TEST_CASE("several histograms by 16 bytes of their streams") {
  const Comparison comparison(
      R"(fn f(n: i64, m: i64, js: [n]i32, xs: [n]i32, d: [m]i32, z: [m]i32) -> ([m]i32, [m]i32) {
  e: [m]i32, h: [m]i32 = soac n (js, xs) { (i: i64, j: i32, x: i32)
    k: i64 = convert j
    y: i32 = mul x x
    l: i64 = sub k 1i64
    yield k, x, l, y
  } histogram 1 (d) (2147483647i32) { (a: i32, b: i32)
    c: i32 = min a b
    yield c
  } histogram 1 (z) (0i32) { (a1: i32, b1: i32)
    c1: i32 = add a1 b1
    yield c1
  }
  ret e, h
})",
      "histogram", 3);
  check_streams(comparison, ElementType::I32, ElementType::I32, 2);
}

TEST_CASE(
    "a check that fails amid 16 bytes of a histogram's streams is told as the host tells it") {
  std::string text = replaced(replaced(histogram, "NEUTRAL", "0i32"), "OP", "add");
  text = replaced(text, "yield j, x",
                  "is_small: bool = lt j 900i64\n    check is_small, \"large\"\n    yield j, x");
  const Comparison comparison(replaced(text, "T", "i32"), "histogram", 6);
  check_patterns(comparison, ElementType::I32, {5, 700, 20'000}, {1000});
}

TEST_CASE("several histograms of tuples and dimensions, with maps beside them") {
  const Comparison comparison(several_histograms, "histogram", 5);
  for (const Pattern pattern : patterns)
    for (const std::int64_t count : {1, 60, 900, 5000})
      comparison.check([&](MemoryBudget& memory) {
        const Hashed hashed(3);
        constexpr std::int64_t m = 70;
        const auto of = [&](ElementType type, Extents extents) {
          return leaf_of(memory, type, extents,
                         [&](std::int64_t i) { return hashed.scalar(type, i); });
        };
        return std::vector<jit::Datum>{
            Scalar::of(count),
            Scalar::of(m),
            leaf_of(memory, ElementType::I64, {count},
                    [&](std::int64_t i) { return index_of(pattern, i, count, m); }),
            of(ElementType::I32, {count}),
            of(ElementType::I32, {m}),
            of(ElementType::U8, {m}),
            of(ElementType::I64, {3, m})};
      });
}

TEST_CASE("histograms whose order shows keep it on a device") {
  struct Case {
    const char *type, *neutral, *op;
  };
  const Case cases[] = {{"f32", "0f32", "add"}, {"f64", "0f64", "add"}, {"f32", "0f32", "min"},
                        {"f64", "1f64", "mul"}, {"i32", "3i32", "sub"}, {"u8", "1u8", "sub"},
                        {"i64", "5i64", "add"}, {"bool", "true", "lt"}};
  std::uint64_t place = 0;
  for (const Case& one : cases) {
    const std::uint64_t seed = place++;
    if (!is_tried(seed, 4)) continue;
    std::string text = replaced(histogram, "NEUTRAL", one.neutral);
    text = replaced(replaced(text, "OP", one.op), "T", one.type);
    const Comparison comparison(text, "ordered_histogram", seed % 3);
    check_patterns(comparison, type_named(one.type), {0, 1, 33, 700}, {1, 2, 31, 1000});
  }
  const std::string sums =
      replaced(replaced(replaced(histogram, "NEUTRAL", "0f32"), "OP", "add"), "T", "f32");
  const Comparison large(sums, "ordered_histogram", 8);
  // Segments: none, few of them, many; with ranges.
  check_patterns(large, ElementType::F32, {8191, 20'000}, {1, 32});
  check_patterns(large, ElementType::F32, {3000}, {100'000});
  check_patterns(large, ElementType::F32, {40'000}, {1200});
}

TEST_CASE("tuples whose order shows, with maps beside them") {
  const Comparison comparison(tuples_with_order, "ordered_histogram", 5);
  for (const Pattern pattern : patterns)
    for (const std::int64_t count : {1, 60, 900, 9000})
      comparison.check([&](MemoryBudget& memory) {
        const Hashed hashed(3);
        constexpr std::int64_t m = 35;
        const auto of = [&](ElementType type, Extents extents) {
          return leaf_of(memory, type, extents,
                         [&](std::int64_t i) { return hashed.scalar(type, i); });
        };
        const std::uint32_t turned[] = {1, 0};
        return std::vector<jit::Datum>{
            Scalar::of(count),
            Scalar::of(m),
            leaf_of(memory, ElementType::I64, {count},
                    [&](std::int64_t i) { return index_of(pattern, i, count, m); }),
            of(ElementType::F32, {count}),
            jit::transpose_leaf(of(ElementType::F32, {2, m}), turned),
            of(ElementType::I64, {m, 2})};
      });
}

TEST_CASE("arrays as elements, and operators that may fail, go the way that takes any kernel") {
  const auto word = [](const char* text) {
    const ir::Function function = ir::parse(text);
    return std::string(
        gpu::make_entries(function, {.layouts = ir::all_dense(function.body.parameters.size())})
            .word);
  };
  CHECK(word(R"(fn f(n: i64, m: i64, js: [n]i64, xss: [n][m]f32, d: [n][m]f32) -> [n][m]f32 {
  e: [n][m]f32 = soac n (js, xss) { (i: i64, j: i64, xs: [m]f32)
    yield j, xs
  } scatter 1 d
  ret e
})") == "generic");
  CHECK(word(R"(fn f(n: i64, m: i64, js: [n]i64, xs: [n]i32, d: [m]i32) -> [m]i32 {
  e: [m]i32 = soac n (js, xs) { (i: i64, j: i64, x: i32)
    yield j, x
  } histogram 1 (d) (1i32) { (a: i32, b: i32)
    is_right: bool = ne b 0i32
    check is_right, "division by zero"
    c: i32 = div a b
    yield c
  }
  ret e
})") == "generic");
}

TEST_CASE("the assembler finds registers for scatters and histograms, and needs no stack") {
  const auto text_of = [](std::string text, const char* type, const char* neutral, const char* op) {
    text = replaced(text, "NEUTRAL", neutral);
    return replaced(replaced(text, "OP", op), "T", type);
  };
  const std::string texts[] = {replaced(scatter, "T", "i32"),
                               replaced(scatter, "T", "u8"),
                               text_of(histogram, "i32", "0i32", "add"),
                               text_of(histogram, "u64", "0u64", "max"),
                               text_of(histogram, "i64", "1i64", "mul"),
                               text_of(histogram, "u8", "0u8", "add"),
                               text_of(histogram, "f32", "0f32", "add"),
                               text_of(histogram, "f64", "0f64", "add"),
                               several_scatters,
                               several_histograms,
                               tuples_with_order};
  for (const std::string& text : texts) {
    CAPTURE(text);
    const ir::Function function = ir::parse(text);
    const gpu::KernelEntries entries =
        gpu::make_entries(function, {.layouts = ir::all_dense(function.body.parameters.size())});
    CHECK(entries.word != "generic");
    for (const unsigned architecture : {75u, 80u, 90u}) {
      CAPTURE(architecture);
      const gpu::PtxText ptx = gpu::to_ptx(entries.module, architecture);
      // Shared memory and the device's have instructions of their own.
      const auto has = [&](const char* words) { return ptx.text.find(words) != ptx.text.npos; };
      CHECK(has("atom.shared") == (entries.word == "histogram"));
      CHECK_FALSE(has("atom.add"));
      CHECK_FALSE(has("atom.cas"));
      const auto assembled = gpu::assemble(ptx, architecture);
      if (!assembled) continue;
      CHECK(assembled->size() == entries.module.entries.size());
      for (const gpu::AssembledEntry& entry : *assembled) {
        CAPTURE(entry.name);
        CHECK(entry.facts.local_bytes == 0);
        CHECK(entry.spill_store_bytes == 0);
        CHECK(entry.spill_load_bytes == 0);
        CHECK(entry.facts.registers <= 64);
      }
    }
  }
}
