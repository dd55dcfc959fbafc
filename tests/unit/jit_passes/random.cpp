// Each pass, and all together, on random functions: what the function gives stays the same.
#include "jit/ir/evaluate.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "jit/passes/pipeline.h"
#include "tests/generate/ir/ir_generator.h"
#include "tests/generate/ir/ir_outcome.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace sinter;

namespace {

/// More with SINTER_RANDOM_FUNCTIONS=N in the environment, from SINTER_RANDOM_SEED on.
std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

} // namespace

TEST_CASE("passes keep what random functions mean") {
  const std::uint64_t first = from_environment("SINTER_RANDOM_SEED", 0);
  const std::uint64_t count = from_environment("SINTER_RANDOM_FUNCTIONS", some_of(300, 4));
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    generate::Random random(seed);
    generate::IrOptions options;
    options.statements = 6 + seed % 12;
    options.checks = seed % 3 == 0;
    options.exact_sums = false;
    options.streams = seed % 4 == 1;
    const ir::Function original = generate::random_function(random, options);
    std::vector<std::vector<ir::DenseValue>> arguments;
    std::vector<ir::Evaluation> outcomes;
    for (int run = 0; run < 3; ++run) {
      arguments.push_back(generate::random_arguments(original, random));
      outcomes.push_back(ir::evaluate(original, arguments.back()));
    }
    ir::Function function = original;
    std::string before = ir::print(function);
    for (const auto& [pass, run_pass] : jit::all_passes()) {
      run_pass(function, {});
      const std::string text = ir::print(function);
      const auto violation = ir::verify(function);
      REQUIRE_MESSAGE(!violation, pass << ": " << *violation << "\n" << before << "\n" << text);
      for (std::size_t run = 0; run < arguments.size(); ++run)
        REQUIRE_MESSAGE(
            generate::same_outcome(original, outcomes[run], ir::evaluate(function, arguments[run])),
            pass << " changes the meaning:\n"
                 << before << "\n"
                 << text);
      before = text;
    }
  }
}
