// Programs on a driver's device, and what becomes of them when calls of the driver fail.
#include "gpu/backend/gpu_backend.h"
#include "jit/ir/parse.h"
#include "jit/runtime/executable.h"
#include "jit/runtime/leaf_operations.h"
#include "jit/runtime/places.h"
#include "tests/unit/gpu_driver/pretended_gpu.h"
#include "tests/unit/jit_runtime/ir_programs.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <thread>

using namespace sinter;
using namespace sinter::test;

namespace {

jit::Backend& cpu() {
  setenv("SINTER_CACHE", "off", 1);
  static const std::unique_ptr<jit::Backend> backend = jit::make_cpu_backend();
  return *backend;
}

struct GpuPlace {
  explicit GpuPlace(PretendedGpu& gpu)
      : backend(gpu::make_gpu_backend("gpu", gpu.device(), cpu())) {}
  std::shared_ptr<jit::Executable> executable(std::string_view text) const {
    return jit::make_executable(
        ir::parse(std::string(text)),
        {{backend.get(), &cpu()}, std::make_shared<const jit::PlaceChooser>()}, {});
  }
  std::unique_ptr<gpu::GpuBackend> backend;
};

/// A map, a fill, a reduction, a filter and writes on the host's level.
constexpr std::string_view many_things = R"(fn f(n: i64, xs: [n]i64) -> (i64, [n]i64) {
  ys: [n]i64 = soac n (xs) { (i: i64, x: i64)
    y: i64 = mul x 3i64
    yield y
  } map
  s: i64 = soac n (ys) { (i2: i64, x2: i64)
    yield x2
  } reduce commutative (0i64) { (a: i64, b: i64)
    c: i64 = add a b
    yield c
  }
  zs: [n]i64 = soac n (ys) { (i3: i64, x3: i64)
    z: i64 = sub x3 s
    yield z
  } map
  ret s, zs
})";

constexpr std::int64_t count = 1000;

Leaf numbers(MemoryBudget& memory) {
  Leaf leaf = jit::allocate_leaf(memory, ElementType::I64, {count});
  std::byte* const data = leaf.buffer->overwrite();
  for (std::int64_t i = 0; i < count; ++i)
    store_scalar(ElementType::I64, data, i, Scalar::of(i));
  return leaf;
}

/// What one may do with what came of a run: nothing, if it was given up.
bool is_right(const jit::Outcome& outcome) {
  if (std::holds_alternative<jit::Stopped>(outcome)) return false;
  const auto& results = std::get<std::vector<jit::Datum>>(outcome);
  constexpr std::int64_t sum = 3 * count * (count - 1) / 2;
  CHECK(std::get<Scalar>(results[0]).as<std::int64_t>() == sum);
  const Leaf& array = std::get<Leaf>(results[1]);
  for (std::int64_t i = 0; i < count; ++i)
    if (load_scalar(ElementType::I64, array.buffer->contents(), i).as<std::int64_t>() !=
        3 * i - sum) {
      CHECK(i == -1);
      return false;
    }
  return true;
}

/// The same, where the result may have been lost since.
bool is_right_or_lost(const jit::Outcome& outcome) {
  try {
    return is_right(outcome);
  } catch (const RuntimeError& error) {
    CHECK(error.kind == FailureKind::Unsupported);
    return false;
  }
}

} // namespace

TEST_CASE("programs of every kind mean the same on a driver's device") {
  PretendedGpu gpu;
  {
    const GpuPlace place(gpu);
    for (const IrProgram& program : ir_programs) {
      CAPTURE(program.name);
      const auto executable = place.executable(program.text);
      for (const std::int64_t n : {7, 0, 300})
        check_executable(*executable, n, 5, 1);
    }
    CHECK(place.backend->copies() == 0);
    CHECK(gpu.calls_by_name()["cuLaunchKernel"] > 50);
  }
  CHECK(gpu.objects() == 0);
  CHECK(gpu.emulated().leaks().empty());
}

TEST_CASE("a kernel that runs is stopped by a word that another stream writes") {
  PretendedGpu gpu;
  const GpuPlace place(gpu);
  const auto executable = place.executable(endless);
  executable->compile_all();
  MemoryBudget memory;
  InterruptSource interrupt;
  jit::RunContext context{.memory = &memory, .interrupt = &interrupt, .epoch = interrupt.epoch()};
  std::chrono::steady_clock::time_point raised;
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    raised = std::chrono::steady_clock::now();
    interrupt.raise(InterruptSource::Reason::Interrupt);
  });
  const jit::Outcome outcome = executable->run({Scalar::of(count), numbers(memory)}, context);
  other.join();
  CHECK(std::chrono::steady_clock::now() - raised < std::chrono::milliseconds(100));
  REQUIRE(std::holds_alternative<jit::Stopped>(outcome));
  CHECK(std::get<jit::Stopped>(outcome).why == jit::Stopped::Why::Interrupted);
  CHECK(gpu.objects() > 0);
}

TEST_CASE("whatever call of the driver fails, results are right, or are had by the host") {
  enum class Kind { NoMemory, LaunchFailure, LostContext };
  // (As the driver numbers them.)
  const auto result_of = [](Kind kind) {
    return kind == Kind::NoMemory ? 2 : kind == Kind::LaunchFailure ? 719 : 709;
  };
  for (const Kind kind : {Kind::NoMemory, Kind::LaunchFailure, Kind::LostContext}) {
    const int result = result_of(kind);
    std::uint64_t given_up = 0, planted = 0;
    const auto on_host = jit::make_executable(ir::parse(std::string(many_things)), cpu(), {});
    on_host->compile_all(); // once for all
    PretendedGpu gpu;
    for (std::uint64_t call = 0;; call += is_sanitized ? 5 : 1) {
      CAPTURE(result);
      CAPTURE(call);
      gpu.restore();
      bool is_met = false;
      {
        const GpuPlace place(gpu);
        MemoryBudget memory;
        const jit::RunContext context{.memory = &memory};
        gpu.plant(call, result);
        const auto executable = place.executable(many_things);
        executable->compile_all();
        const Leaf input = numbers(memory);
        const auto run = [&] {
          return is_right_or_lost(executable->run({Scalar::of(count), input}, context));
        };
        // A run that is given up may be had once more from what it began with: the session lives.
        bool is_last_right = true;
        for (int i = 0; i < 3; ++i) {
          const bool is_this_right = run();
          CHECK((is_this_right || is_last_right));
          given_up += !is_this_right;
          is_last_right = is_this_right;
        }
        if (!is_last_right) CHECK(run());
        is_met = gpu.is_met();
        planted += is_met;
        const std::string remark = place.backend->remark();
        CHECK(remark.empty() == (!is_met || kind == Kind::NoMemory));
        if (!remark.empty()) CHECK(remark.starts_with("gpu is not used any more: "));
      }
      CHECK(gpu.objects() == 0);
      CHECK(gpu.emulated().leaks().empty());
      if (!is_met) break;
    }
    CHECK(planted > some_of(40, 5));
    MESSAGE("error " << result << " at each of " << planted << " calls: " << given_up
                     << " runs were given up, the next ones were right");
  }
}
