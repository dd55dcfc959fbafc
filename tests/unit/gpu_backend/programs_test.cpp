// Programs of the IR, and random ones, on a device: bit by bit as the reference evaluator has them.
#include "device_place.h"
#include "jit/ir/print.h"
#include "jit/passes/pipeline.h"
#include "tests/generate/ir/ir_generator.h"
#include "tests/generate/ir/ir_outcome.h"
#include "tests/unit/jit_runtime/ir_programs.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace sinter;
using namespace sinter::test;

namespace {

/// More with SINTER_RANDOM_FUNCTIONS=N in the environment, from SINTER_RANDOM_SEED on.
std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

ir::Evaluation evaluation(const jit::Outcome& outcome) {
  if (const auto* stopped = std::get_if<jit::Stopped>(&outcome)) {
    REQUIRE_MESSAGE(stopped->why == jit::Stopped::Why::Failed, stopped->words);
    return stopped->site;
  }
  return from_leaves(std::get<std::vector<jit::Datum>>(outcome));
}

/// Why kernels are not on the device, if so.
void check_refusals(const jit::Executable& executable) {
  for (const auto& kernel : executable.kernels(false)) {
    for (const jit::PlaceRefusal& refusal : kernel.refusals) {
      CAPTURE(kernel.ir);
      if (refusal.place != "device") continue;
      CHECK_MESSAGE(refusal.why == "it is work for one thread", refusal.why);
    }
  }
}

} // namespace

TEST_CASE("programs of every kind mean the same on a device") {
  const DevicePlace emulated({}, true);
  for (const IrProgram& program : ir_programs) {
    CAPTURE(program.name);
    const auto executable = emulated.executable(ir::parse(program.text));
    for (const std::int64_t n : {7, 1, 0, 23, 300})
      for (const std::int64_t m : {5, 1})
        check_executable(*executable, n, m, 1);
    check_refusals(*executable);
  }
  CHECK(emulated.backend->copies() == 0); // everything was forgotten
}

TEST_CASE("random functions mean the same on a device") {
  const std::uint64_t first = from_environment("SINTER_RANDOM_SEED", 0);
  const std::uint64_t count = from_environment("SINTER_RANDOM_FUNCTIONS", 40);
  const DevicePlace emulated({.seed = 1});
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    generate::Random random(seed);
    generate::IrOptions options;
    options.statements = 5 + seed % 12;
    options.checks = seed % 3 == 0;
    options.depth = seed % 2 == 0 ? 1 : 3;
    const ir::Function original = generate::random_function(random, options);
    ir::Function function = original;
    if (seed % 4 != 0) jit::optimise(function);
    const auto executable = emulated.executable(function);
    for (const std::size_t extent :
         {std::size_t{5}, std::size_t{0}, std::size_t{40 - seed % 2 * 33}}) {
      const auto arguments = generate::random_arguments(original, random, extent);
      const ir::Evaluation expected = ir::evaluate(original, arguments);
      for (const auto arrangement : {Arrangement::Dense, Arrangement::Reversed}) {
        const bool is_shared = random.chance(50);
        MemoryBudget memory;
        jit::RunContext context{.memory = &memory};
        std::vector<jit::Datum> leaves = to_leaves(function, arguments, memory, arrangement);
        const std::vector<jit::Datum> kept = is_shared ? leaves : std::vector<jit::Datum>();
        const ir::Evaluation found = evaluation(executable->run(std::move(leaves), context));
        REQUIRE_MESSAGE(generate::same_outcome(original, expected, found),
                        "seed " << seed << "\n"
                                << ir::print(original) << "\noptimised:\n"
                                << ir::print(function));
        if (is_shared) REQUIRE(from_leaves(kept) == arguments);
      }
    }
    check_refusals(*executable);
  }
  CHECK(emulated.backend->copies() == 0);
}
