// Random functions: the generator keeps the rules, text is read back, evaluation goes through.
#include "jit/ir/evaluate.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "jit/ir/walk.h"
#include "tests/generate/ir/ir_generator.h"
#include "tests/generate/ir/ir_outcome.h"

#include <doctest/doctest.h>

#include <map>

using namespace sinter;
using namespace sinter::ir;

namespace {

void count(const Body& body, std::map<std::size_t, int>& operations,
           std::map<std::size_t, int>& groups) {
  for (const Statement& statement : body.statements) {
    ++operations[statement.operation.index()];
    if (const auto* soac = std::get_if<Soac>(&statement.operation))
      for (const Group& group : soac->groups)
        ++groups[group.index()];
    for_each_body(statement.operation,
                  [&](const Body& inner) { count(inner, operations, groups); });
  }
}

} // namespace

TEST_CASE("random functions keep the rules, run, and are read back") {
  std::map<std::size_t, int> operations, groups;
  int failed = 0, ran = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    generate::Random random(seed);
    const Function function = generate::random_function(random, {.streams = true});
    const std::string text = print(function);
    const auto violation = verify(function);
    REQUIRE_MESSAGE(!violation, *violation << "\n" << text);
    const Function again = parse(text);
    REQUIRE(print(again) == text);
    Function cloned = function;
    const Body body = cloned.body;
    cloned.body = clone(cloned, body);
    REQUIRE(verify(cloned) == std::nullopt);
    count(function.body, operations, groups);
    for (int run = 0; run < 2; ++run) {
      const std::vector<DenseValue> arguments = generate::random_arguments(function, random);
      const Evaluation outcome = evaluate(function, arguments);
      ++(std::holds_alternative<std::uint32_t>(outcome) ? failed : ran);
      REQUIRE(generate::same_outcome(function, outcome, evaluate(again, arguments)));
      REQUIRE(outcome == evaluate(cloned, arguments));
      // However streams are cut.
      for (const std::int64_t units : {2, 3, 5})
        REQUIRE(generate::same_outcome(function, outcome, evaluate(function, arguments, units)));
    }
  }
  // Everything is there, and most functions come to an end.
  CHECK(operations.size() == std::variant_size_v<Operation>);
  CHECK(groups.size() == std::variant_size_v<Group>);
  CHECK(ran > 4 * failed);
  CHECK(failed > 0);
}
