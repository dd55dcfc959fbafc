// Updates of histograms that are dealt to lists and happen later.
#include "check_fold.h"
#include "jit/ir/parse.h"
#include "kernel_runner.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::jit;

namespace {

/// Of n elements in k bins: some have no bin, many the same one.
std::string histogram(const std::string& element, const std::string& neutral,
                      const std::string& combine) {
  return "fn f(n: i64, k: i64, xs: [n]" + element + ", bins: [k]" + element + ") -> [k]" + element +
         " { r: [k]" + element + " = soac n (xs) { (i: i64, v: " + element +
         ") a: i64 = mul i 7919i64 m: i64 = add k 9i64 b: i64 = rem a m c: i64 = sub b 4i64 "
         "o: i64 = and i 3i64 s: bool = eq o 0i64 d: i64 = select s 1i64 c yield d, v } "
         "histogram 1 (bins) (" +
         neutral + ") { (x: " + element + ", y: " + element + ") " + combine + " yield z } ret r }";
}

void check_dealt(const std::string& source, std::int64_t bins) {
  CAPTURE(source);
  using Processor = RunnerOptions::Processor;
  const ir::Function function = ir::parse(source);
  KernelRunner kernel(function);
  std::mt19937 random(7);
  for (const std::int64_t n : {0, 1, 63, 64, 700}) {
    const std::vector<ir::DenseValue> arguments = uneven_arguments(function, {n, bins}, random);
    const ir::Evaluation expected = ir::evaluate(function, arguments);
    for (const unsigned lanes : {1u, 4u, 16u, 64u})
      for (const std::int64_t shares : {1, 4, 16})
        for (const Processor processor : {Processor::Host, Processor::Avx2}) {
          if (!can_run(processor)) continue;
          CAPTURE(n);
          CAPTURE(lanes);
          CAPTURE(shares);
          const std::int64_t chunk = n == 700 ? 65 : 1 << 30;
          CHECK(kernel.run(
                    arguments,
                    {.lanes = lanes, .chunk = chunk, .shares = shares, .processor = processor}) ==
                expected);
        }
  }
}

const std::string sum = "z: f32 = add x y";

} // namespace

TEST_CASE("updates of bins that are dealt happen in their order") {
  // Turns of bins are 256: of 1000 every share of four has some.
  for (const std::int64_t bins : {1000, 3})
    check_dealt(histogram("f32", "0f32", sum), bins);
  check_dealt(histogram("f64", "0f64", "z: f64 = add x y"), 1000);
  check_dealt(histogram("f16", "0f16", "z: f16 = add x y"), 1000);
  // The last update stays: the order shows whatever the type is.
  check_dealt(histogram("i8", "0i8", "t: i8 = mul x 3i8 z: i8 = add t y"), 1000);
  check_dealt(histogram("bool", "false", "t: bool = not x z: bool = and t y"), 1000);
  check_dealt("fn f(n: i64, k: i64, xs: [n]f32, ys: [n]f64, as: [k]f32, bs: [k]f64) -> ([k]f32, "
              "[k]f64) { r: [k]f32, s: [k]f64 = soac n (xs, ys) { (i: i64, x: f32, y: f64) "
              "o: i64 = rem i 300i64 yield o, x, y } histogram 1 (as, bs) (0f32, 0f64) { (a: f32, "
              "b: f64, c: f32, d: f64) e: f32 = add a c g: f64 = convert a h: f64 = mul g d "
              "j: f64 = add b h yield e, j } ret r, s }",
              900);
}

TEST_CASE("a check that fails where updates are dealt notes its site") {
  const ir::Function function = ir::parse(
      "fn f(n: i64, k: i64, xs: [n]f32, bins: [k]f32) -> [k]f32 { r: [k]f32 = soac n (xs) { "
      "(i: i64, x: f32) c: bool = lt i 500i64 check c, \"late\" b: i64 = rem i k yield b, x } "
      "histogram 1 (bins) (0f32) { (p: f32, q: f32) z: f32 = add p q yield z } ret r }");
  std::mt19937 random(7);
  for (const std::int64_t n : {500, 501}) {
    const std::vector<ir::DenseValue> arguments = uneven_arguments(function, {n, 999}, random);
    CHECK(run_kernel(function, arguments, {.lanes = 16, .chunk = 100, .shares = 4}) ==
          ir::evaluate(function, arguments));
  }
}

TEST_CASE("only updates that cannot fail, and whose order shows, are dealt") {
  const auto is_dealt = [](const std::string& source) {
    return kernel_text(ir::parse(source), {.lanes = 8}).find("accumulate") != std::string::npos;
  };
  CHECK(is_dealt(histogram("f32", "0f32", sum)));
  CHECK(!is_dealt(histogram("i32", "0i32", "z: i32 = add x y")));
  CHECK(!is_dealt(histogram("i32", "1i32",
                            "g: bool = gt y 0i32 check g, \"none\" t: i32 = mul x "
                            "3i32 z: i32 = sub t y")));
  // Rows are not.
  CHECK(!is_dealt(
      "fn f(n: i64, k: i64, xs: [n][4]f32, z: [4]f32, bins: [k][4]f32) -> [k][4]f32 { "
      "r: [k][4]f32 = soac n (xs) { (i: i64, x: [4]f32) o: i64 = rem i k yield o, x } "
      "histogram 1 (bins) (z) { (p: [4]f32, q: [4]f32) s: [4]f32 = soac 4i64 (p, q) { (j: i64, "
      "a: f32, b: f32) c: f32 = add a b yield c } map yield s } ret r }"));
}
