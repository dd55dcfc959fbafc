// How many lanes code has: registers of each value, by what waits.
#include "check_kernel.h"
#include "jit/ir/parse.h"
#include "kernel_runner.h"

#include <doctest/doctest.h>

#include <ostream>
#include <random>
#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::jit;

namespace {

/// How many lanes of u64 code has.
int lanes_of(const std::string& text, RunnerOptions::Processor processor) {
  const std::string code = kernel_text(ir::parse(text), {.lanes = 0, .processor = processor});
  for (const int lanes : {32, 16, 8, 4})
    if (code.find("<" + std::to_string(lanes) + " x i64>") != std::string::npos) return lanes;
  return 1;
}
/// The kernel with as many lanes as it gets by itself, on each processor that this machine can be.
void check_kernel_of_own_width(const std::string& text,
                               const std::vector<std::vector<std::int64_t>>& sizes) {
  using Processor = RunnerOptions::Processor;
  const ir::Function function = ir::parse(text);
  KernelRunner kernel(function);
  std::mt19937 random(2);
  for (const std::vector<std::int64_t>& size : sizes) {
    const std::vector<ir::DenseValue> arguments = arguments_for(function, size, random);
    const ir::Evaluation expected = ir::evaluate(function, arguments);
    for (const Processor processor : {Processor::Sse2, Processor::Avx2, Processor::Avx512}) {
      if (!can_run(processor)) continue;
      for (const std::int64_t chunk : {std::int64_t{1} << 30, std::int64_t{64}})
        CHECK(kernel.run(arguments, {.lanes = 0, .chunk = chunk, .processor = processor}) ==
              expected);
    }
  }
}

/// How many lanes of f32.
int lanes_of_floats(const std::string& text, RunnerOptions::Processor processor) {
  const std::string code = kernel_text(ir::parse(text), {.lanes = 0, .processor = processor});
  for (const int lanes : {64, 32, 16, 8})
    if (code.find(" <" + std::to_string(lanes) + " x float>") != std::string::npos) return lanes;
  return 1;
}

/// So many steps, each of the one before; and so many more values that are needed at the end only.
std::string chain(int steps, int kept) {
  std::string text =
      "fn f(n: i64, xs: [n]u64) -> [n]u64 {\n  r: [n]u64 = soac n (xs) { (i: i64, x0: u64)\n";
  for (int i = 0; i < kept; ++i)
    text += "    k" + std::to_string(i) + ": u64 = mul x0 " + std::to_string(3 + i) + "u64\n";
  for (int i = 0; i < steps; ++i)
    text += "    x" + std::to_string(i + 1) + ": u64 = " + (i % 2 == 0 ? "mul" : "xor") + " x" +
            std::to_string(i) + " 77u64\n";
  std::string sum = "x" + std::to_string(steps);
  for (int i = 0; i < kept; ++i) {
    text += "    s" + std::to_string(i) + ": u64 = sub k" + std::to_string(i) + " " + sum + "\n";
    sum = "s" + std::to_string(i);
  }
  return text + "    yield " + sum + "\n  } map\n  ret r\n}";
}

} // namespace

TEST_CASE("a long chain of steps is taken for several registers at a time, as many as there are") {
  using Processor = RunnerOptions::Processor;
  CHECK(lanes_of(chain(10, 0), Processor::Avx512) == 8);
  CHECK(lanes_of(chain(80, 0), Processor::Avx512) == 16);
  CHECK(lanes_of(chain(10, 0), Processor::Avx2) == 4);
  CHECK(lanes_of(chain(80, 0), Processor::Avx2) == 16);
  CHECK(lanes_of(chain(80, 4), Processor::Avx2) == 8);
  CHECK(lanes_of(chain(80, 9), Processor::Avx2) == 4);
  // A loop waits for itself, so that more values may be kept elsewhere.
  const auto loop = [](int kept) {
    std::string text = "fn f(n: i64, xs: [n]u64) -> [n]u64 {\n"
                       "  r: [n]u64 = soac n (xs) { (i: i64, x: u64)\n";
    for (int i = 0; i < kept; ++i)
      text += "    k" + std::to_string(i) + ": u64 = mul x " + std::to_string(3 + i) + "u64\n";
    text += "    l: u64 = for 20i64 (x) { (j: i64, s0: u64)\n";
    for (int i = 0; i < kept; ++i)
      text += "      s" + std::to_string(i + 1) + ": u64 = mul k" + std::to_string(i) + " s" +
              std::to_string(i) + "\n";
    return text + "      yield s" + std::to_string(kept) + "\n    }\n    yield l\n  } map\n" +
           "  ret r\n}";
  };
  CHECK(lanes_of(loop(9), Processor::Avx2) == 8);
  CHECK(lanes_of(loop(20), Processor::Avx2) == 4);
}

TEST_CASE("loops whose turns wait for themselves go four registers at a time") {
  using Processor = RunnerOptions::Processor;
  // A turn of a loop in a map, with two states.
  const auto loop = [](const std::string& turn, const std::string& bound = "20i64") {
    return "fn f(n: i64, m: i64, xs: [n]f32, ms: [n]i64, ys: [m]f32) -> [n]f32 { "
           "r: [n]f32 = soac n (xs, ms) { (i: i64, x: f32, own: i64) "
           "p: f32, q: f32 = for " +
           bound + " (x, x) { (j: i64, a: f32, b: f32) " + turn +
           " } s: f32 = add p q yield s } map ret r }";
  };
  const std::string steps = "c: f32 = mul a b d: f32 = sub c 0.5f32 e: f32 = add b 1f32 ";
  const std::string waiting = loop(steps + "yield d, e");
  CHECK(lanes_of_floats(waiting, Processor::Avx512) == 64);
  CHECK(lanes_of_floats(waiting, Processor::Avx2) == 16); // of 16 registers
  CHECK(lanes_of_floats("fn f(n: i64, xs: [n]f32) -> [n]f32 { r: [n]f32 = soac n (xs) { "
                        "(i: i64, x: f32) p: f32 = for 20i64 (x) { (j: i64, a: f32) "
                        "c: f32 = mul a a yield c } yield p } map ret r }",
                        Processor::Avx2) == 32);
  check_kernel_of_own_width(waiting, {{0, 1}, {1, 1}, {63, 1}, {64, 1}, {200, 1}});
  // Functions wait for themselves.
  CHECK(lanes_of_floats(loop("c: f32 = sin a yield c, b"), Processor::Avx512) == 64);
  // What all lanes read is no obstacle, nor is the bound that all have.
  const std::string reads = "y: f32 = index ys[0i64] c: f32 = mul a y yield c, b";
  CHECK(lanes_of_floats(loop(reads, "m"), Processor::Avx512) == 64);
  // But: each lane with a bound of its own, or with a place to read at.
  CHECK(lanes_of_floats(loop(steps + "yield d, e", "own"), Processor::Avx512) == 32);
  CHECK(lanes_of_floats(loop("y: f32 = index ys[own] c: f32 = mul a y yield c, b"),
                        Processor::Avx512) == 32);
  // Other lanes' work as it is fills the time; what waits for no turn before fills it as well.
  std::string much, terms;
  for (int k = 0; k < 12; ++k) {
    const std::string number = std::to_string(k);
    much += "c" + number + ": f32 = mul b " + std::to_string(k + 2) + "f32 ";
    terms += "t" + number + ": f32 = max c" + number + " " +
             (k == 0 ? "a" : "t" + std::to_string(k - 1)) + " ";
  }
  CHECK(lanes_of_floats(loop(much + "e: f32 = max c0 a yield e, c11"), Processor::Avx512) == 32);
  CHECK(lanes_of_floats(loop(much + terms + "yield t11, b"), Processor::Avx512) == 64);
  // Elements of a SOAC inside wait only within a long chain.
  const auto elements = [](int length) {
    std::string text = "fn f(n: i64, m: i64, xs: [n]f32) -> [n]f32 { r: [n]f32 = soac n (xs) { "
                       "(i: i64, x: f32) s: f32 = soac m () { (k: i64) y0: f32 = convert k ";
    for (int k = 0; k < length; ++k)
      text += "y" + std::to_string(k + 1) + ": f32 = " + (k % 2 == 0 ? "mul" : "add") + " y" +
              std::to_string(k) + " x ";
    return text + "yield y" + std::to_string(length) +
           " } reduce (0f32) { (a: f32, b: f32) c: f32 = add a b yield c } yield s } map ret r }";
  };
  CHECK(lanes_of_floats(elements(8), Processor::Avx512) == 32);
  CHECK(lanes_of_floats(elements(60), Processor::Avx512) == 64);
  check_kernel_of_own_width(elements(60), {{1, 3}, {65, 2}, {200, 4}});
}

TEST_CASE("light sums inside go four registers at a time, where those are always full") {
  using Processor = RunnerOptions::Processor;
  const auto text = [](int extent, const std::string& element, Processor processor) {
    const std::string rows = std::to_string(extent) + "i64";
    return kernel_text(
        ir::parse("fn f(n: i64, m: i64, ps: [n][m]f32, qs: [m][" + rows +
                  "]f32) -> [n]f32 { "
                  "r: [n]f32 = soac n (ps) { (i: i64, p: [m]f32) s: f32 = soac " +
                  rows +
                  " () { (j: i64) t: f32 = soac m (p) { (k: i64, x: f32) y: f32 = index qs[k, j] " +
                  element +
                  " yield z } reduce (0f32) { (a: f32, b: f32) c: f32 = add a b yield c "
                  "} yield t } reduce (f32.inf) { (d: f32, e: f32) g: f32 = min d e yield g } "
                  "yield s } map ret r }"),
        {.lanes = 0, .processor = processor});
  };
  const std::string light = "v: f32 = sub x y z: f32 = mul v v";
  const auto is_wide = [&](const std::string& code) {
    return code.find("fmul <64 x float>") != std::string::npos;
  };
  CHECK(is_wide(text(64, light, Processor::Avx512)));
  CHECK(is_wide(text(128, light, Processor::Avx512)));
  CHECK(!is_wide(text(96, light, Processor::Avx512)));
  CHECK(!is_wide(text(64, light, Processor::Avx2)));
  CHECK(!is_wide(text(64, "v: f32 = sub x y w: f32 = mul v v u: f32 = add w x z: f32 = mul u u",
                      Processor::Avx512)));
}

TEST_CASE(
    "short folds inside go four registers at a time, where what is folded has room for that") {
  using Processor = RunnerOptions::Processor;
  // Rows of which each has a sum of squares; what is folded of those.
  const auto rows = [](const std::string& index, const std::string& folding) {
    return "fn f(n: i64, m: i64, ps: [n][m]f32, qs: [m][64]f32) -> [n]f32 { "
           "r: [n]f32 = soac n (ps) { (i: i64, p: [m]f32) " +
           folding +
           " = soac 64i64 () { (j: i64) t: f32 = soac m (p) { (k: i64, x: f32) "
           "y: f32 = index qs[k, j] v: f32 = sub x y z: f32 = mul v v yield z } "
           "reduce (0f32) { (a: f32, b: f32) c: f32 = add a b yield c } " +
           index + " yield s } map ret r }";
  };
  // The least with its index, in whatever order; or so that the order shows, where they are equal.
  const auto least = [&](const std::string& type, const std::string& which) {
    return rows("at: " + type + " = convert j yield t, at } reduce " + which + " (f32.inf, 64" +
                    type + ") { (d: f32, e: " + type + ", g: f32, h: " + type +
                    ") l: bool = lt d g q: bool = eq d g o: bool = lt e h u: bool = and q o "
                    "w: bool = or l u s1: f32 = select w d g s2: " +
                    type + " = select w e h yield s1, s2 }",
                "s: f32, place: " + type);
  };
  CHECK(lanes_of_floats(least("i32", "commutative"), Processor::Avx2) == 32);
  CHECK(lanes_of_floats(least("i64", "commutative"), Processor::Avx2) == 16);

  const auto folds = [](const std::string& reduce) {
    return "fn f(n: i64, m: i64, ps: [m]f32, qs: [m][n]f32) -> ([n]f32, [n]i32) { "
           "r: [n]f32, s: [n]i32 = soac n () { (i: i64) t: f32, at: i32 = soac m (ps) { "
           "(k: i64, x: f32) y: f32 = index qs[k, i] v: f32 = add x y j: i32 = convert k "
           "yield v, j } " +
           reduce + " yield t, at } map map ret r, s }";
  };
  CHECK(lanes_of_floats(folds("reduce commutative (-f32.inf, 2147483647i32) { (d: f32, e: i32, "
                              "g: f32, h: i32) l: bool = gt d g q: bool = eq d g o: bool = lt e h "
                              "u: bool = and q o w: bool = or l u s1: f32 = select w d g "
                              "s2: i32 = select w e h yield s1, s2 }"),
                        Processor::Avx2) == 32);
  CHECK(lanes_of_floats(folds("reduce (-f32.inf, 2147483647i32) { (d: f32, e: i32, g: f32, h: i32) "
                              "l: bool = gt g d o: bool = gt d g w: i32 = min e h "
                              "s0: i32 = select o e w s1: f32 = select l g d "
                              "s2: i32 = select l h s0 yield s1, s2 }"),
                        Processor::Avx2) == 16);
}

TEST_CASE("sums of indices of which only low bits are wanted do not halve the lanes") {
  const auto lanes_of_i32 = [](const std::string& body) {
    const std::string code = kernel_text(
        ir::parse("fn f(n: i64, m: i64, xs: [n]i64) -> [n]i32 { r: [n]i32 = soac n (xs) "
                  "{ (i: i64, x: i64) " +
                  body + " a: i32 = convert k b: i32 = mul a 5i32 yield b } map ret r }"),
        {.lanes = 0, .processor = RunnerOptions::Processor::Avx512});
    return code.find("mul <16 x i32>") != std::string::npos ? 16 : 8;
  };
  CHECK(lanes_of_i32("k: i64 = add i m") == 16);
  CHECK(lanes_of_i32("j: i64 = add i m k: i64 = sub j 3i64") == 16);
  // The greater of two numbers is known by all of their bits; so are quotients.
  CHECK(lanes_of_i32("k: i64 = max i m") == 8);
  CHECK(lanes_of_i32("j: i64 = mul i m k: i64 = div j 3i64") == 8);
  check_kernel_of_own_width("fn f(n: i64, m: i64) -> [n]i32 { r: [n]i32 = soac n () { (i: i64) "
                            "k: i64 = add i m a: i32 = convert k yield a } map ret r }",
                            {{1, 3}, {65, -4}, {200, 4294967290}});
}
