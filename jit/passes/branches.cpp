#include "jit/passes/branches.h"

#include "jit/ir/walk.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_set>
#include <utility>

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

/// Takes the statements out of the branch that compute the value; nothing, and the branch stays as
/// it is, if they are not few operations on numbers.
std::optional<std::vector<Statement>> taken_out(Body& branch, const Operand& value) {
  std::unordered_set<std::uint32_t> needed;
  if (value.is_value()) needed.insert(value.value().index);
  std::vector<Statement> taken, kept;
  unsigned sum = 0;
  for (auto at = branch.statements.rbegin(); at != branch.statements.rend(); ++at) {
    if (at->results.empty() || !needed.contains(at->results[0].index)) {
      kept.push_back(*at);
      // (Of several results, one may be needed.)
      for (const ValueId result : at->results)
        if (needed.contains(result.index)) return std::nullopt;
      continue;
    }
    const auto cost = cost_of_scalar(at->operation);
    if (!cost || (sum += *cost) > select_cost_limit / 2) return std::nullopt;
    for_each_operand(std::as_const(at->operation), [&](const Operand& operand) {
      if (operand.is_value()) needed.insert(operand.value().index);
    });
    taken.push_back(*at);
  }
  std::ranges::reverse(taken);
  std::ranges::reverse(kept);
  branch.statements = std::move(kept);
  return taken;
}

} // namespace

std::vector<Statement> scalars_beside(If& choice, Statement& statement, const Function& function) {
  std::vector<Statement> result;
  const auto is_scalar = [&](ValueId value) { return function.type(value).is_scalar(); };
  const auto is_extent = [&](ValueId value) {
    return std::ranges::any_of(statement.results, [&](ValueId array) {
      return std::ranges::count(function.type(array).extents, Operand(value)) > 0;
    });
  };
  const auto scalars = std::ranges::count_if(statement.results, is_scalar);
  if (scalars == static_cast<std::ptrdiff_t>(statement.results.size())) return result;
  for (std::size_t i = statement.results.size(); i-- > 0;) {
    if (!is_scalar(statement.results[i]) || is_extent(statement.results[i])) continue;
    If tried = choice;
    auto then_part = taken_out(tried.then_body, tried.then_body.results[i]);
    auto else_part =
        then_part ? taken_out(tried.else_body, tried.else_body.results[i]) : std::nullopt;
    if (!else_part) continue;
    choice = std::move(tried);
    std::ranges::move(*then_part, std::back_inserter(result));
    std::ranges::move(*else_part, std::back_inserter(result));
    result.push_back(
        {{statement.results[i]},
         Select{choice.condition, choice.then_body.results[i], choice.else_body.results[i]},
         statement.span});
    erase_at(statement.results, i);
    erase_at(choice.then_body.results, i);
    erase_at(choice.else_body.results, i);
  }
  return result;
}

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
