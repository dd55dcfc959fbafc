// Random functions from end to end: optimised, cut into kernels and the rest, compiled, run.
#include "jit/ir/print.h"
#include "jit/passes/pipeline.h"
#include "tests/generate/ir/ir_generator.h"
#include "tests/generate/ir/ir_outcome.h"
#include "tests/unit/jit_runtime/ir_programs.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <stdexcept>

using namespace sinter;

namespace {

/// More with SINTER_RANDOM_FUNCTIONS=N in the environment, from SINTER_RANDOM_SEED on; with
/// SINTER_RANDOM_TRACE each function is shown before it runs.
std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

ir::Evaluation evaluation(const jit::Outcome& outcome) {
  if (const auto* stopped = std::get_if<jit::Stopped>(&outcome)) {
    REQUIRE(stopped->why == jit::Stopped::Why::Failed);
    return stopped->site;
  }
  return test::from_leaves(std::get<std::vector<jit::Datum>>(outcome));
}

} // namespace

TEST_CASE("executables keep what random functions mean") {
  const std::uint64_t first = from_environment("SINTER_RANDOM_SEED", 0);
  const std::uint64_t count = from_environment("SINTER_RANDOM_FUNCTIONS", 25);
  const auto backend = jit::make_cpu_backend();
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    generate::Random random(seed);
    generate::IrOptions options;
    options.statements = 5 + seed % 12;
    options.checks = seed % 3 == 0;
    options.streams = seed % 3 == 1;
    // The reference evaluator is slow: large arrays for shallow functions only.
    options.depth = seed % 2 == 0 ? 1 : 3;
    const std::size_t largest_extent = seed % 2 == 0 ? 40 : 7;
    const ir::Function original = generate::random_function(random, options);
    ir::Function function = original;
    if (seed % 4 != 0) jit::optimise(function);
    if (std::getenv("SINTER_RANDOM_TRACE")) MESSAGE("seed " << seed << "\n" << ir::print(function));
    jit::CompileOptions compile_options;
    compile_options.lanes = seed % 5 == 0 ? 1 : 0;
    compile_options.piece = seed % 3 == 0 ? 0 : static_cast<std::int64_t>(1 + seed % 7);
    compile_options.tier = seed % 2 == 0 ? 2 : 1;
    const auto executable = jit::make_executable(function, *backend, compile_options);
    for (const std::size_t extent : {std::size_t{5}, std::size_t{0}, largest_extent}) {
      // (Of what the first tier has begun the second one makes the rest.)
      if (extent == largest_extent && seed % 4 == 1) executable->promote();
      const auto arguments = generate::random_arguments(original, random, extent);
      const ir::Evaluation expected = ir::evaluate(original, arguments);
      for (const auto arrangement :
           {test::Arrangement::Dense, test::Arrangement::Reversed, test::Arrangement::Spread}) {
        const bool is_shared = random.chance(50);
        MemoryBudget memory;
        jit::RunContext context{.memory = &memory, .threads = 2};
        std::vector<jit::Datum> leaves = test::to_leaves(function, arguments, memory, arrangement);
        const std::vector<jit::Datum> kept = is_shared ? leaves : std::vector<jit::Datum>();
        const ir::Evaluation found = evaluation(executable->run(std::move(leaves), context));
        REQUIRE_MESSAGE(generate::same_outcome(original, expected, found),
                        "seed " << seed << ", arrangement " << static_cast<int>(arrangement)
                                << (is_shared ? ", shared" : "") << "\n"
                                << ir::print(original) << "\noptimised:\n"
                                << ir::print(function));
        // What others own too stays as it was.
        if (is_shared) REQUIRE(test::from_leaves(kept) == arguments);
      }
    }
  }
}
