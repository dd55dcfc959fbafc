#include "jit/cpu/emit_plan.h"

#include "jit/cpu/emit_cost.h"
#include "jit/ir/walk.h"

#include <algorithm>

namespace sinter::jit {
namespace {

bool is_scalar_code(const ir::Function& function, const ir::Body& body) {
  for (const ir::Statement& statement : body.statements) {
    if (const auto* branch = std::get_if<ir::If>(&statement.operation)) {
      if (!is_scalar_code(function, branch->then_body) ||
          !is_scalar_code(function, branch->else_body))
        return false;
    } else if (!std::holds_alternative<ir::Primitive>(statement.operation) &&
               !std::holds_alternative<ir::Select>(statement.operation)) {
      return false;
    }
  }
  return std::all_of(body.parameters.begin(), body.parameters.end(),
                     [&](ir::ValueId parameter) { return function.type(parameter).is_scalar(); });
}

bool is_commutative_operation(primitives::Operation operation) {
  using primitives::Operation;
  switch (operation) {
  case Operation::Add:
  case Operation::Multiply:
  case Operation::Minimum:
  case Operation::Maximum:
  case Operation::And:
  case Operation::Or:
  case Operation::Xor:
    return true;
  default:
    return false;
  }
}

} // namespace

bool is_commutative(const ir::ReduceGroup& group) {
  if (group.is_commutative) return true;
  // Each value by itself, by an operation that commutes.
  const ir::Body& op = group.combine;
  const std::size_t count = group.neutral.size();
  if (op.statements.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const auto* primitive = std::get_if<ir::Primitive>(&op.statements[i].operation);
    if (!primitive || !is_commutative_operation(primitive->primitive->operation)) return false;
    if (op.results[i] != ir::Operand(op.statements[i].results[0])) return false;
    const ir::Operand left(op.parameters[i]), right(op.parameters[count + i]);
    const auto& arguments = primitive->arguments;
    if (!(arguments[0] == left && arguments[1] == right) &&
        !(arguments[0] == right && arguments[1] == left))
      return false;
  }
  return true;
}

bool can_run_in_lanes(const ir::Function& function, const ir::Soac& soac) {
  std::size_t next = 0;
  for (const ir::Group& group : soac.groups) {
    if (const auto* reduce = std::get_if<ir::ReduceGroup>(&group)) {
      if (!is_scalar_code(function, reduce->combine)) return false;
      next += reduce->neutral.size();
    } else if (const auto* scan = std::get_if<ir::ScanGroup>(&group)) {
      if (!is_scalar_code(function, scan->combine)) return false;
      next += scan->neutral.size();
    } else if (const auto* histogram = std::get_if<ir::HistogramGroup>(&group)) {
      next += histogram->index_count;
      for (std::size_t i = 0; i < histogram->destinations.size(); ++i)
        if (!function.type(soac.body.results[next++]).is_scalar()) return false;
    } else if (const auto* filter = std::get_if<ir::FilterGroup>(&group)) {
      ++next;
      for (std::uint32_t i = 0; i < filter->value_count; ++i)
        if (!function.type(soac.body.results[next++]).is_scalar()) return false;
    } else if (const auto* scatter = std::get_if<ir::ScatterGroup>(&group)) {
      next += scatter->index_count + 1;
    } else {
      ++next;
    }
  }
  return true;
}

namespace {

/// Chooses for the SOACs of scalar code, and for those inside of them.
class Chooser {
public:
  Chooser(const ir::Function& function, unsigned width, std::unordered_set<const ir::Soac*>& chosen)
      : function_(function), model_(function, width), chosen_(chosen) {}

  void choose(const ir::Body& body) {
    model_.enter(body);
    for (const ir::Statement& statement : body.statements) {
      if (const auto* soac = std::get_if<ir::Soac>(&statement.operation))
        choose(*soac);
      else
        ir::for_each_body(statement.operation, [&](const ir::Body& inner) { choose(inner); });
    }
  }

private:
  void choose(const ir::Soac& soac) {
    if (can_run_in_lanes(function_, soac) && model_.prefers_lanes(soac)) {
      chosen_.insert(&soac);
      return;
    }
    model_.enter(soac);
    ir::for_each_body(soac, [&](const ir::Body& body) { choose(body); });
  }

  const ir::Function& function_;
  CostModel model_;
  std::unordered_set<const ir::Soac*>& chosen_;
};

} // namespace

LanePlan::LanePlan(const ir::Function& function, unsigned width) {
  if (width > 1) Chooser(function, width, chosen_).choose(function.body);
}

} // namespace sinter::jit
