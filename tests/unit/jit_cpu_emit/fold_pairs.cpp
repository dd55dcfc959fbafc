// Folds of whole tiles, two at a time: sizes around each boundary, at the widths of both
// processors.
#include "check_fold.h"
#include "jit/ir/parse.h"
#include "kernel_runner.h"
#include "lang/primitives/fold_order.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <tuple>

using namespace sinter;
using namespace sinter::jit;

namespace {

using Processor = RunnerOptions::Processor;

/// Around nothing, a row, a tile, two, three, a block, and some blocks.
std::vector<std::int64_t> boundaries(std::int64_t lanes) {
  const std::int64_t tile = lanes * primitives::row_length, block = primitives::block_length;
  std::vector<std::int64_t> sizes = {0};
  for (const std::int64_t size : {std::int64_t{1}, primitives::row_length, tile, 2 * tile, 3 * tile,
                                  4 * tile, block, block + 2 * tile, 2 * block + tile})
    for (const std::int64_t near : {size - 1, size, size + 1, size + primitives::row_length})
      if (std::find(sizes.begin(), sizes.end(), near) == sizes.end()) sizes.push_back(near);
  return sizes;
}

void check_pairs(std::string_view source) {
  const ir::Function function = ir::parse(source);
  KernelRunner kernel(function);
  std::mt19937 random(3);
  for (const auto& [lanes, processor, is_zen, has_small_caches] :
       {std::tuple{8U, Processor::Avx2, false, false}, std::tuple{8U, Processor::Avx2, false, true},
        std::tuple{16U, Processor::Avx512, false, false},
        std::tuple{16U, Processor::Avx512, false, true},
        std::tuple{16U, Processor::Avx512, true, true}}) {
    if (!can_run(processor)) continue;
    std::size_t number = 0;
    for (const std::int64_t size : boundaries(lanes)) {
      if (is_sanitized && ++number % 4 != 0) continue;
      const std::vector<ir::DenseValue> arguments = uneven_arguments(function, {size}, random);
      const ir::Evaluation expected = ir::evaluate(function, arguments);
      // (In one piece, by blocks, and from the middle of blocks on.)
      for (const auto& [unit, chunk] :
           {std::pair<std::int64_t, std::int64_t>{4096, 1 << 30}, {4096, 4096}, {64, 37 * 64}}) {
        CAPTURE(lanes);
        CAPTURE(size);
        CAPTURE(chunk);
        CAPTURE(is_zen);
        CAPTURE(has_small_caches);
        CHECK(kernel.run(arguments, {.lanes = lanes,
                                     .chunk = chunk,
                                     .fold_unit = unit,
                                     .processor = processor,
                                     .is_zen = is_zen,
                                     .has_small_caches = has_small_caches}) == expected);
      }
    }
  }
}

/// A sum of what is read, in a type.
std::string sum_of(const std::string& type) {
  return "fn sum(n: i64, xs: [n]" + type + ") -> " + type + " {\n  s: " + type +
         " = soac n (xs) { (i: i64, x: " + type + ")\n    yield x\n  } reduce (0" + type +
         ") { (a: " + type + ", b: " + type + ")\n    c: " + type +
         " = add a b\n    yield c\n  }\n  ret s\n}";
}

/// A sum of products.
std::string products_of(const std::string& type) {
  return "fn products(n: i64, xs: [n]" + type + ", ys: [n]" + type + ") -> " + type +
         " {\n  s: " + type + " = soac n (xs, ys) { (i: i64, x: " + type + ", y: " + type +
         ")\n    p: " + type + " = mul x y\n    yield p\n  } reduce (0" + type + ") { (a: " + type +
         ", b: " + type + ")\n    c: " + type + " = add a b\n    yield c\n  }\n  ret s\n}";
}

} // namespace

TEST_CASE("pairs of tiles: what is read") {
  check_pairs(sum_of("f32"));
  check_pairs(sum_of("f64"));
}

TEST_CASE("pairs of tiles: an operator that shows every bracket") {
  check_pairs(R"(fn difference(n: i64, xs: [n]f32) -> f32 {
    s: f32 = soac n (xs) { (i: i64, x: f32)
      yield x
    } reduce (1f32) { (a: f32, b: f32)
      d: f32 = mul b 1.5f32
      c: f32 = sub a d
      e: f32 = mul c 0.75f32
      yield e
    }
    ret s
  })");
}

TEST_CASE("pairs of tiles: what is computed, and stored, beside what is read") {
  check_pairs(R"(fn several(n: i64, xs: [n]f32, ys: [n]f32) -> (f32, [n]f32, f32, f64) {
    s: f32, r: [n]f32, t: f32, u: f64 = soac n (xs, ys) { (i: i64, x: f32, y: f32)
      p: f32 = mul x y
      q: f64 = convert x
      w: f64 = mul q q
      yield p, p, y, w
    } reduce (0f32) { (a: f32, b: f32)
      c: f32 = add a b
      yield c
    } map reduce (1f32) { (d: f32, e: f32)
      f: f32 = sub d e
      yield f
    } reduce (0f64) { (g: f64, h: f64)
      k: f64 = add g h
      yield k
    }
    ret s, r, t, u
  })");
}

TEST_CASE("pairs of tiles: values of two widths at once") {
  check_pairs(R"(fn both(n: i64, xs: [n]f32, ys: [n]f64) -> (f32, f64) {
    s: f32, t: f64 = soac n (xs, ys) { (i: i64, x: f32, y: f64)
      yield x, y
    } reduce (0f32, 1f64) { (a: f32, b: f64, c: f32, d: f64)
      e: f32 = add a c
      f: f64 = sub b d
      yield e, f
    }
    ret s, t
  })");
}

TEST_CASE("pairs of tiles: what surely is in the caches is asked for from there alone") {
  const ir::Function sum = ir::parse(sum_of("f32"));
  const std::string text = kernel_text(sum, {.lanes = 16, .processor = Processor::Avx512});
  CHECK(text.find(", 8388608\n") != std::string::npos); // 32 MiB of them
  // Halves of squares, of two tiles.
  CHECK(text.find("load <8 x float>") != std::string::npos);
  // Zen reads what comes from afar a tile at a time, and asks for it later.
  const std::string zen =
      kernel_text(sum, {.lanes = 16, .processor = Processor::Avx512, .is_zen = true});
  CHECK(text.find("i64 16384\n") != std::string::npos);
  CHECK(zen.find("i64 16384\n") == std::string::npos);
  CHECK(zen.find("i64 4096\n") != std::string::npos);
}

TEST_CASE("pairs of tiles: the next one is computed while one is folded") {
  check_pairs(products_of("f32"));
  check_pairs(products_of("f64"));
  // Some elements are there already, others depend on where they are.
  check_pairs(R"(fn beside(n: i64, xs: [n]f32) -> (f32, f32) {
    s: f32, t: f32 = soac n (xs) { (i: i64, x: f32)
      k: f32 = convert i
      p: f32 = mul x k
      yield x, p
    } reduce (0f32) { (a: f32, b: f32)
      c: f32 = add a b
      yield c
    } reduce (1f32) { (d: f32, e: f32)
      f: f32 = mul d 0.5f32
      g: f32 = sub f e
      yield g
    }
    ret s, t
  })");
  const auto multiplications = [](const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find("fmul <16 x float>"); at != std::string::npos;
         at = text.find("fmul <16 x float>", at + 1))
      ++count;
    return count;
  };
  const RunnerOptions options{.lanes = 16, .processor = Processor::Avx512};
  // Once in whole lanes, once in the last ones, and once for the next pair.
  CHECK(multiplications(kernel_text(ir::parse(products_of("f32")), options)) == 3);
  // What takes long to compute is not emitted once more.
  std::string longer = products_of("f32");
  for (int i = 0; i < 8; ++i)
    longer.insert(longer.find("    yield p"),
                  "    q" + std::to_string(i) + ": f32 = mul x " + std::to_string(i + 2) + "f32\n");
  CHECK(multiplications(kernel_text(ir::parse(longer), options)) == 18);
}
