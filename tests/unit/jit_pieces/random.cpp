// Random functions in pieces, by random cuts: what they give stays the same.
#include "jit/ir/print.h"
#include "jit/passes/pipeline.h"
#include "lang/primitives/fold_order.h"
#include "tests/generate/ir/ir_generator.h"
#include "tests/generate/ir/ir_outcome.h"
#include "tests/unit/jit_pieces/in_pieces.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

using namespace sinter;
using namespace sinter::jit;

namespace {

/// More with SINTER_RANDOM_FUNCTIONS=N in the environment, from SINTER_RANDOM_SEED on.
std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::vector<std::int64_t> random_cuts(generate::Random& random, std::int64_t n, std::int64_t row) {
  std::vector<std::int64_t> cuts = {0};
  const std::size_t inner = random.below(random.below(4) == 0 ? 40 : 5);
  for (std::size_t i = 0; i < inner; ++i) {
    const auto units = static_cast<std::size_t>((n + row - 1) / row) + 1;
    cuts.push_back(std::min(n, static_cast<std::int64_t>(random.below(units)) * row));
  }
  cuts.push_back(n);
  std::ranges::sort(cuts);
  return cuts;
}

} // namespace

TEST_CASE("random functions give in pieces what they give as a whole") {
  const std::uint64_t first = from_environment("SINTER_RANDOM_SEED", 0);
  const std::uint64_t count = from_environment("SINTER_RANDOM_FUNCTIONS", 400);
  std::size_t cut = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    generate::Random random(seed);
    generate::IrOptions options;
    options.statements = 3 + seed % 6;
    options.checks = seed % 3 == 0;
    options.exact_sums = false;
    ir::Function function = generate::random_function(random, options);
    optimise(function, {.passes = passes_before_cutting()});
    for (ir::ValueId size : sizes_to_cut(function)) {
      const std::variant<CutPlan, NotCut> plan = plan_cut(function, size);
      if (std::holds_alternative<NotCut>(plan)) {
        CHECK(!std::get<NotCut>(plan).why.empty());
        continue;
      }
      ++cut;
      for (const std::size_t largest : {5, 5, 200}) {
        const auto arguments = generate::random_arguments(function, random, largest);
        const CutPlan& by = std::get<CutPlan>(plan);
        const std::int64_t row = by.any_cut_is_exact() ? 1 : primitives::row_length;
        const std::int64_t n = extent_of(function, by, arguments);
        const std::vector<std::int64_t> cuts = random_cuts(random, n, row);
        CAPTURE(n);
        REQUIRE_MESSAGE(generate::same_outcome(function, ir::evaluate(function, arguments),
                                               evaluate_in_pieces(function, by, arguments, cuts)),
                        ir::print(function));
      }
    }
  }
  MESSAGE(cut << " ways to cut " << count << " random functions");
  CHECK(cut * 10 >= count); // or it tests too little
}
