#include "jit/passes/branches.h"

#include <algorithm>
#include <optional>

namespace sinter::jit {

using namespace ir;

namespace {

/// An `if` whose branches together cost at most this becomes a select.
constexpr unsigned select_cost_limit = 12;

/// What the operation costs where it may run without need; nothing if it must not.
std::optional<unsigned> cost_of_scalar(const ir::Operation& operation) {
  if (std::holds_alternative<Select>(operation)) return 1;
  const auto* scalar = std::get_if<ir::Primitive>(&operation);
  if (!scalar || scalar->primitive->is_defined) return std::nullopt;
  return scalar->primitive->cost;
}

} // namespace

bool becomes_select(const If& choice, const Statement& statement, const Function& function) {
  const auto is_scalar = [&](ValueId result) { return function.type(result).is_scalar(); };
  if (!std::all_of(statement.results.begin(), statement.results.end(), is_scalar)) return false;
  unsigned sum = 0;
  for (const Body* branch : {&choice.then_body, &choice.else_body})
    for (const Statement& each : branch->statements) {
      const auto cost = cost_of_scalar(each.operation);
      if (!cost) return false;
      sum += *cost;
    }
  return sum <= select_cost_limit;
}

void drop_equal_results(If& choice, Statement& statement, Knowledge& known) {
  for (std::size_t i = statement.results.size(); i-- > 0;) {
    const Operand agreed = choice.then_body.results[i];
    if (agreed != choice.else_body.results[i]) continue;
    if (!known.has_same_extents(agreed, statement.results[i])) continue;
    known.substitution.set(statement.results[i], agreed);
    erase_at(statement.results, i);
    erase_at(choice.then_body.results, i);
    erase_at(choice.else_body.results, i);
  }
  for (ValueId result : statement.results)
    known.substitution.apply_to_type(known.function, result);
}

} // namespace sinter::jit
