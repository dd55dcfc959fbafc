// Arrays that neighbouring threads read far apart are turned over before, where they are large.
#include "both_places.h"
#include "gpu/ptx/assemble.h"
#include "gpu/ptx/lower.h"
#include "gpu/skeletons/across_reads.h"
#include "gpu/skeletons/transposition.h"
#include "recorded.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::test;

namespace {

constexpr std::string_view loop_over_rows =
    R"(fn f(n: i64, m: i64, xss: [n][m]f32, ys: [n]f32) -> [n]f32 {
  c: [n]f32 = soac n (xss, ys) { (i: i64, xs: [m]f32, y: f32)
    r: f32 = for m (y) { (k: i64, s: f32)
      x: f32 = index xs[k]
      h: f32 = mul s 0.5f32
      t: f32 = add h x
      yield t
    }
    yield r
  } map
  ret c
})";

std::vector<std::uint32_t> across(std::string_view text) {
  return gpu::parameters_read_across(ir::parse(text));
}

} // namespace

TEST_CASE("matrices of elements of any size are turned over") {
  const auto device = device_under_test({.seed = 7});
  const auto code = device->load(gpu::make_transpositions());
  generate::Random random(1);
  for (const std::size_t size : {1, 2, 4, 8})
    for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{1, 1},
                                        {31, 33},
                                        {32, 32},
                                        {100, 65},
                                        {64, 1},
                                        {3, 200}}) {
      CAPTURE(size);
      CAPTURE(rows);
      CAPTURE(columns);
      std::vector<std::byte> matrix(rows * columns * size), turned(matrix.size()),
          expected(matrix.size());
      for (std::byte& byte : matrix)
        byte = static_cast<std::byte>(random.below(256));
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j)
          std::memcpy(&expected[(j * rows + i) * size], &matrix[(i * columns + j) * size], size);
      const gpu::TranspositionWords words{device->allocate(matrix.size()),
                                          device->allocate(matrix.size()), rows, columns};
      device->copy_in(words.source, matrix);
      device->launch(code, gpu::transposition_entry(size), gpu::transposition_shape(words, size),
                     std::vector<std::uint64_t>{words.source, words.target, rows, columns});
      device->copy_out(turned, words.target);
      CHECK(turned == expected);
      device->release(words.source);
      device->release(words.target);
    }
}

TEST_CASE("transpositions are code without a stack frame") {
  const gpu::GpuModule module = gpu::make_transpositions();
  for (const unsigned architecture : {75u, 80u, 90u}) {
    const gpu::PtxText ptx = gpu::to_ptx(module, architecture);
    CHECK(ptx.text.find("ld.global") != std::string::npos);
    if (const auto assembled = gpu::assemble(ptx, ptx.architecture))
      for (const gpu::AssembledEntry& entry : *assembled) {
        CHECK(entry.facts.local_bytes == 0);
        CHECK(entry.facts.registers <= 48);
      }
  }
}

TEST_CASE("which arrays threads read across is seen from their uses") {
  CHECK(across(loop_over_rows) == std::vector<std::uint32_t>{2});
  // By the thread's number, in a loop.
  CHECK(across(R"(fn f(n: i64, m: i64, xss: [n][m]f32, yss: [m][n]f32) -> [n]f32 {
  c: [n]f32 = soac n () { (i: i64)
    r: f32 = soac m () { (k: i64)
      x: f32 = index xss[i, k]
      y: f32 = index yss[k, i]
      z: f32 = mul x y
      yield z
    } reduce (0f32) { (a: f32, b: f32)
      s: f32 = add a b
      yield s
    }
    yield r
  } map
  ret c
})") == std::vector<std::uint32_t>{2});
  // Without a loop, and by others too.
  CHECK(across(R"(fn f(n: i64, m: i64, xss: [n][m]f32, yss: [n][m]f32) -> ([n]f32, [n]f32) {
  c: [n]f32, d: [n]f32 = soac n (xss, yss) { (i: i64, xs: [m]f32, ys: [m]f32)
    a: f32 = index xs[0i64]
    b: f32 = index yss[0i64, 0i64]
    e: f32 = soac m (ys) { (k: i64, y: f32)
      yield y
    } reduce (0f32) { (u: f32, v: f32)
      w: f32 = add u v
      yield w
    }
    g: f32 = add b e
    yield a, g
  } map map
  ret c, d
})")
            .empty());
}

TEST_CASE("large arrays that threads read across are turned over, and nothing else changes") {
  const Recorded both(loop_over_rows);
  generate::Random random(2);
  const auto run = [&](std::int64_t n, std::int64_t m, Arrangement arrangement) {
    return both.check({Scalar::of(n), Scalar::of(m),
                       array_of(ElementType::F32, {n, m}, random, any_float),
                       array_of(ElementType::F32, {n}, random, any_float)},
                      arrangement);
  };
  check_steps(run(700, 100, Arrangement::Dense), {"transpose_4", "run"});
  check_steps(run(4099, 16, Arrangement::Dense), {"transpose_4", "run"});
  check_steps(run(700, 100, Arrangement::Reversed), {"run"});
  check_steps(run(700, 90, Arrangement::Dense), {"run"});  // in caches anyway
  check_steps(run(9000, 8, Arrangement::Dense), {"run"});  // short rows
  check_steps(run(100, 700, Arrangement::Dense), {"run"}); // few threads
  CHECK(run(0, 5, Arrangement::Dense).size() <= 1);
}

TEST_CASE("where there is no room for a copy, what threads read across stays as it is") {
  if (is_gpu_under_test()) return; // it has more memory
  // (Arguments and results take 282,800 bytes, and no second array fits.)
  const Recorded both(loop_over_rows, {.memory_bytes = std::size_t{400} << 10});
  generate::Random random(3);
  CHECK(both.check({Scalar::of(std::int64_t{700}), Scalar::of(std::int64_t{100}),
                    array_of(ElementType::F32, {700, 100}, random, any_float),
                    array_of(ElementType::F32, {700}, random, any_float)}) ==
        std::vector<std::string>{"run"});
}

TEST_CASE("points of three dimensions are turned over for tiles") {
  const Recorded both(
      R"(fn f(n: i64, m: i64, ps: [n][m][2]f64, cs: [65][m]f64) -> [n]f64 {
  c: [n]f64 = soac n (ps) { (i: i64, p: [m][2]f64)
    best: f64 = soac 65i64 (cs) { (k: i64, q: [m]f64)
      s: f64 = soac m (p, q) { (l: i64, x: [2]f64, y: f64)
        x0: f64 = index p[l, 1i64]
        g: f64 = sub x0 y
        yield g
      } reduce (0f64) { (v: f64, w: f64)
        t: f64 = add v w
        yield t
      }
      yield s
    } reduce (f64.inf) { (a: f64, b: f64)
      r: f64 = min a b
      yield r
    }
    yield best
  } map
  ret c
})");
  generate::Random random(4);
  // (So that all multiprocessors have some.)
  const std::int64_t n = is_gpu_under_test() ? 40'000 : 4096;
  CHECK(both.check({Scalar::of(n), Scalar::of(std::int64_t{8}),
                    array_of(ElementType::F64, {n, 8, 2}, random, any_double),
                    array_of(ElementType::F64, {65, 8}, random, any_double)}) ==
        std::vector<std::string>{"transpose_8", "tile"});
}
