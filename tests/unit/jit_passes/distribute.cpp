// Nests that are distributed mean what they meant, and only nests of many elements inside are.
#include "jit/passes/distribute.h"
#include "jit/ir/evaluate.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "jit/passes/pipeline.h"
#include "tests/generate/ir/ir_generator.h"
#include "tests/generate/ir/ir_outcome.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace sinter;

namespace {

/// Takes the distributed form, whatever the sizes; how many nests have one.
std::size_t force(ir::Function& function) {
  std::size_t count = 0;
  for (ir::Statement& statement : function.body.statements)
    if (auto* branch = std::get_if<ir::If>(&statement.operation);
        branch && branch->else_body.statements.size() == 1 &&
        branch->then_body.statements.size() > 1) {
      branch->condition = ir::Operand::constant(ElementType::Bool, Scalar::of(true));
      ++count;
    }
  return count;
}

} // namespace

TEST_CASE("random nests mean the same when they are distributed") {
  std::size_t distributed = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    generate::Random random(seed);
    generate::IrOptions options;
    options.statements = 4 + seed % 8;
    options.depth = 3;
    options.checks = false;
    const ir::Function original = generate::random_function(random, options);
    ir::Function function = original;
    const std::string before = ir::print(function);
    jit::distribute(function);
    if (ir::print(function) == before) continue;
    distributed += force(function);
    const std::string text = ir::print(function);
    const auto violation = ir::verify(function);
    REQUIRE_MESSAGE(!violation, *violation << "\n" << before << "\n" << text);
    for (int run = 0; run < 3; ++run) {
      const std::vector<ir::DenseValue> arguments = generate::random_arguments(original, random);
      REQUIRE_MESSAGE(generate::same_outcome(original, ir::evaluate(original, arguments),
                                             ir::evaluate(function, arguments)),
                      before << "\n"
                             << text);
    }
  }
  MESSAGE(distributed << " nests");
  CHECK(distributed > 50);
}
