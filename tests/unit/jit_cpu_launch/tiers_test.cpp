// The two tiers of compiled code: the same bits, and the swap from one to the other.
#include "jit/runtime/leaf_operations.h"
#include "tests/unit/jit_cpu_launch/cpu_backend.h"
#include "tests/unit/jit_runtime/ir_programs.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

using namespace sinter;
using namespace sinter::jit;
using namespace sinter::test;

namespace {

/// A sum, and a scan that rounds at each step.
constexpr const char* rounding = R"(fn f(n: i64, xs: [n]f32) -> (f32, [n]f32) {
  s: f32, t: [n]f32 = soac n (xs) { (i: i64, x: f32)
    y: f32 = mul x 1.1f32
    z: f32 = sqrt y
    w: f32 = add y z
    yield z, w
  } reduce commutative (0f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  } scan (0f32) { (d: f32, e: f32)
    g: f32 = add d e
    yield g
  }
  ret s, t
})";

Leaf numbers(MemoryBudget& memory, std::int64_t n) {
  Leaf leaf = allocate_leaf(memory, ElementType::F32, {n});
  auto* data = reinterpret_cast<float*>(leaf.buffer->overwrite());
  for (std::int64_t i = 0; i < n; ++i)
    data[i] = 1.0f / static_cast<float>(i % 1013 + 1);
  return leaf;
}

std::vector<ir::DenseValue> run(Executable& executable, MemoryBudget& memory, const Leaf& xs) {
  RunContext context{.memory = &memory, .threads = 2};
  Outcome outcome = executable.run({Scalar::of(xs.extents[0]), xs}, context);
  REQUIRE(std::holds_alternative<std::vector<Datum>>(outcome));
  return from_leaves(std::get<std::vector<Datum>>(outcome));
}

std::vector<unsigned> tiers_of(const Executable& executable) {
  std::vector<unsigned> tiers;
  for (const Executable::KernelDescription& kernel : executable.kernels(false))
    tiers.push_back(kernel.facts.tier);
  return tiers;
}

} // namespace

TEST_CASE("promoted code gives the first tier's bits") {
  MemoryBudget memory;
  const Leaf xs = numbers(memory, 300'017);
  std::shared_ptr<Executable> executable =
      make_executable(ir::parse(rounding), backend(), {.tier = 1});
  executable->compile_all();
  CHECK(tiers_of(*executable) == std::vector<unsigned>{1});
  const std::vector<ir::DenseValue> first = run(*executable, memory, xs);
  executable->promote();
  CHECK(tiers_of(*executable) == std::vector<unsigned>{2});
  CHECK(run(*executable, memory, xs) == first);
}

TEST_CASE("code may be promoted while it runs") {
  MemoryBudget memory;
  const Leaf xs = numbers(memory, 300'017);
  std::shared_ptr<Executable> wanted = make_executable(ir::parse(rounding), backend(), {.tier = 2});
  const std::vector<ir::DenseValue> expected = run(*wanted, memory, xs);
  std::shared_ptr<Executable> executable =
      make_executable(ir::parse(rounding), backend(), {.tier = 1});
  executable->compile_all();
  std::atomic<bool> is_promoted{false};
  std::thread promoter([&] {
    executable->promote();
    is_promoted = true;
  });
  bool is_last = false;
  do {
    is_last = is_promoted;
    CHECK(run(*executable, memory, xs) == expected);
  } while (!is_last);
  promoter.join();
}

TEST_CASE("every program does the same once it is promoted") {
  for (const IrProgram& program : ir_programs) {
    CAPTURE(program.name);
    std::shared_ptr<Executable> executable =
        make_executable(ir::parse(program.text), backend(), {.tier = 1});
    executable->compile_all();
    executable->promote();
    for (unsigned tier : tiers_of(*executable))
      CHECK(tier == 2);
    check_executable(*executable, 17, 5, 3);
  }
}

TEST_CASE("equal kernels are compiled once, while one of them is in use") {
  const ir::Function function = ir::parse(rounding);
  ir::Function renamed = function;
  renamed.name = "g";
  std::shared_ptr<Kernel> kernel = backend().compile(function, ir::all_dense(2), {.tier = 1});
  CHECK(backend().compile(renamed, ir::all_dense(2), {.tier = 1}) == kernel);
  CHECK(backend().compile(function, {ir::ArrayLayout::Dense, ir::ArrayLayout::Strided},
                          {.tier = 1}) != kernel);
  CHECK(backend().compile(function, ir::all_dense(2), {.tier = 2}) != kernel);
  CHECK(backend().compile(function, ir::all_dense(2), {.floats = FloatMode::Contract, .tier = 1}) !=
        kernel);
}

TEST_CASE("whatever it is, promoted code does what the reference evaluator does") {
  std::uint64_t place = 0;
  for (const IrProgram& program : ir_programs) {
    CAPTURE(program.name);
    if (!is_tried(place++)) continue;
    std::shared_ptr<Executable> executable =
        make_executable(ir::parse(program.text), backend(), {.tier = 1});
    check_executable(*executable, 50, 17, 1, 2);
    executable->promote();
    check_executable(*executable, 50, 17, 2, 2);
  }
}

TEST_CASE("both tiers go through one index space, wherever their lanes are") {
  // Rows of so few numbers lie in vectors along them in one tier, and beside each other in the
  // other.
  MemoryBudget memory;
  for (const std::int64_t width : {2, 3, 4, 6, 7, 8, 9, 10, 12, 13, 15, 16, 17, 20, 31, 33}) {
    CAPTURE(width);
    const std::string extent = std::to_string(width) + "i64";
    const std::string text = "fn f(n: i64, xss: [n][" + extent + "]f32, ys: [" + extent +
                             "]f32) -> [n][" + extent + "]f32 { r: [n][" + extent +
                             "]f32 = soac n (xss) { (i: i64, xs: [" + extent + "]f32) s: [" +
                             extent + "]f32 = soac " + extent +
                             " (xs, ys) { (j: i64, x: f32, y: f32) z: f32 = sub x y yield z } map "
                             "yield s } map ret r }";
    const std::int64_t n = 1003;
    Leaf xss = numbers(memory, n * width);
    xss.extents = {n, width};
    xss.strides = {width, 1};
    const Leaf ys = numbers(memory, width);
    std::shared_ptr<Executable> executable =
        make_executable(ir::parse(text), backend(), {.tier = 1});
    executable->compile_all();
    const auto result = [&] {
      RunContext context{.memory = &memory, .threads = 2};
      Outcome outcome = executable->run({Scalar::of(n), xss, ys}, context);
      REQUIRE(std::holds_alternative<std::vector<Datum>>(outcome));
      return from_leaves(std::get<std::vector<Datum>>(outcome));
    };
    const std::vector<ir::DenseValue> first = result();
    executable->promote();
    CHECK(tiers_of(*executable) == std::vector<unsigned>{2});
    CHECK(result() == first);
  }
}
