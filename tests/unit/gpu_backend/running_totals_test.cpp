// Reductions and scans of which one block folds what the others leave, meanwhile: where it is done,
// the bits, and that it ends when something fails or nobody wants the results any more.
#include "recorded.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

using namespace sinter;
using namespace sinter::test;

namespace {

constexpr std::int64_t block = 4096;

constexpr std::string_view sums = R"(fn f(n: i64, xs: [n]f32) -> f32 {
  s: f32 = soac n (xs) { (i: i64, x: f32)
    yield x
  } reduce (0f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  }
  ret s
})";
constexpr std::string_view prefix_sums = R"(fn f(n: i64, xs: [n]f32) -> [n]f32 {
  s: [n]f32 = soac n (xs) { (i: i64, x: f32)
    yield x
  } scan (0f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  }
  ret s
})";
/// What is left counts otherwise than what is right; and several components of several sizes.
constexpr std::string_view lopsided = R"(fn f(n: i64, xs: [n]f32) -> (f32, f64, i16) {
  s: f32, d: f64, k: i16 = soac n (xs) { (i: i64, x: f32)
    z: f64 = convert x
    j: i16 = convert i
    yield x, z, j
  } reduce (0.1f32) { (a: f32, b: f32)
    p: f32 = mul a 0.999f32
    c: f32 = sub p b
    yield c
  } reduce (0f64, -1i16) { (e: f64, l: i16, g: f64, m: i16)
    h: f64 = add e g
    is: bool = lt e g
    o: i16 = select is l m
    yield h, o
  }
  ret s, d, k
})";
constexpr std::string_view lopsided_prefixes =
    R"(fn f(n: i64, xs: [n]f32) -> ([n]f32, [n]f64, [n]i16, [n]f32) {
  s: [n]f32, d: [n]f64, k: [n]i16, ys: [n]f32 = soac n (xs) { (i: i64, x: f32)
    z: f64 = convert x
    j: i16 = convert i
    y: f32 = mul x 3f32
    yield x, z, j, y
  } scan (0.1f32) { (a: f32, b: f32)
    p: f32 = mul a 0.999f32
    c: f32 = sub p b
    yield c
  } scan (0f64, -1i16) { (e: f64, l: i16, g: f64, m: i16)
    h: f64 = add e g
    is: bool = lt e g
    o: i16 = select is l m
    yield h, o
  } map
  ret s, d, k, ys
})";

gpu::EmulationOptions in_flight(std::uint64_t seed, unsigned blocks) {
  gpu::EmulationOptions options;
  options.seed = seed;
  options.blocks_in_flight = blocks;
  return options;
}

using Steps = std::vector<std::string>;

void check_steps(std::string_view text, const gpu::EmulationOptions& options,
                 const std::vector<std::int64_t>& sizes, const Steps& few, const Steps& many) {
  const Recorded recorded(text, options);
  generate::Random random(options.seed);
  for (const std::int64_t n : sizes) {
    CAPTURE(n);
    const Steps steps =
        recorded.check({Scalar::of(n), array_of(ElementType::F32, {n}, random, any_float)});
    // (A GPU has more multiprocessors to find tiles for.)
    if (!is_gpu_under_test()) CHECK(steps == (n > 15 * block ? many : few));
  }
}

} // namespace

TEST_CASE("of many tiles one block folds the totals while the others compute them") {
  const std::vector<std::int64_t> sizes = {15 * block, 15 * block + 1, 20 * block + 77};
  struct Order {
    std::uint64_t seed;
    unsigned blocks;
  };
  // (One block at a time is enough: nobody waits for what has not begun.)
  for (const Order order : {Order{0, 4}, Order{0, 1}, Order{1, 1}, Order{2, 2}, Order{3, 9}}) {
    if (!is_tried(order.seed)) continue;
    CAPTURE(order.seed);
    const gpu::EmulationOptions options = in_flight(order.seed, order.blocks);
    check_steps(sums, options, sizes, {"rows", "fold"}, {"rows"});
    check_steps(lopsided, options, sizes, {"rows", "fold"}, {"rows"});
    check_steps(prefix_sums, options, sizes, {"totals", "carries", "prefixes"},
                {"totals", "prefixes"});
    check_steps(lopsided_prefixes, options, sizes, {"totals", "carries", "prefixes"},
                {"totals", "prefixes"});
  }
}

TEST_CASE("totals are more than a block has threads for at once") {
  if (is_sanitized) return; // it takes long
  for (const std::int64_t tiles : {224, 450}) {
    check_steps(sums, in_flight(7, 3), {tiles * block - 5}, {}, {"rows"});
    check_steps(prefix_sums, in_flight(7, 3), {tiles * block + 5}, {}, {"totals", "prefixes"});
  }
}

TEST_CASE("a block that folds what others leave ends where a check fails") {
  constexpr std::string_view reduction = R"(fn f(n: i64, xs: [n]f32) -> f32 {
  s: f32 = soac n (xs) { (i: i64, x: f32)
    is_small: bool = lt i 3000i64
    is_other: bool = ne x 0f32
    is: bool = or is_small is_other
    check is, "zero"
    yield x
  } reduce (0f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  }
  ret s
})";
  constexpr std::string_view scan = R"(fn f(n: i64, xs: [n]f32) -> [n]f32 {
  s: [n]f32 = soac n (xs) { (i: i64, x: f32)
    is_small: bool = lt i 3000i64
    is_other: bool = ne x 0f32
    is: bool = or is_small is_other
    check is, "zero"
    yield x
  } scan (0f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  }
  ret s
})";
  constexpr std::int64_t n = 20 * block;
  MemoryBudget memory;
  jit::RunContext context{.memory = &memory};
  for (const std::string_view text : {reduction, scan})
    for (const std::uint64_t seed : {0, 1, 2}) {
      if (!is_tried(seed)) continue;
      const Recorded recorded(text, in_flight(seed, 2 + static_cast<unsigned>(seed)));
      for (const std::int64_t first : {std::int64_t{3000}, 9 * block + 70, n - 1}) {
        ir::DenseArray numbers{ElementType::F32, {n}, {}};
        for (std::int64_t i = 0; i < n; ++i)
          numbers.elements.push_back(Scalar::of(i < first && i >= 3000 ? 1.0F : 0.0F));
        const jit::Outcome outcome =
            recorded.on_device->run(to_leaves(recorded.on_device->function(),
                                              {Scalar::of(n), numbers}, memory, Arrangement::Dense),
                                    context);
        REQUIRE(std::holds_alternative<jit::Stopped>(outcome));
        CHECK(std::get<jit::Stopped>(outcome).first_index == first);
      }
    }
}

TEST_CASE("a block that folds what others leave ends where they are interrupted") {
  constexpr std::string_view text = R"(fn f(n: i64, xs: [n]f32) -> f32 {
  s: f32 = soac n (xs) { (i: i64, x: f32)
    l: f32 = while (x) { (v: f32)
      d: bool = lt v 5f32
      yield d
    } do { (v1: f32)
      w: f32 = mul v1 0.5f32
      yield w
    }
    yield l
  } reduce (0f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  }
  ret s
})";
  const DevicePlace emulated({}, true);
  const auto executable = emulated.executable(ir::parse(text));
  executable->compile_all();
  MemoryBudget memory;
  InterruptSource interrupt;
  jit::RunContext context{.memory = &memory, .interrupt = &interrupt, .epoch = interrupt.epoch()};
  constexpr std::int64_t n = 1000 * block;
  ir::DenseArray numbers{ElementType::F32, {n}, {}};
  for (std::int64_t i = 0; i < n; ++i)
    numbers.elements.push_back(Scalar::of(i < 16 * block ? 9.0F : 1.0F));
  std::vector<jit::Datum> arguments =
      to_leaves(executable->function(), {Scalar::of(n), numbers}, memory, Arrangement::Dense);
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    interrupt.raise(InterruptSource::Reason::Interrupt);
  });
  const jit::Outcome outcome = executable->run(std::move(arguments), context);
  REQUIRE(std::holds_alternative<jit::Stopped>(outcome));
  CHECK(std::get<jit::Stopped>(outcome).why == jit::Stopped::Why::Interrupted);
}
