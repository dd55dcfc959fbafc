#include "jit/cpu/emit_plan.h"

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

/// Chooses for a SOAC in scalar code, and for those inside of it.
class Chooser {
public:
  Chooser(const ir::Function& function, std::unordered_set<const ir::Soac*>& chosen)
      : function_(function), chosen_(chosen) {}

  void choose(const ir::Body& body) {
    for (const ir::Statement& statement : body.statements) {
      if (const auto* soac = std::get_if<ir::Soac>(&statement.operation))
        choose(*soac);
      else
        ir::for_each_body(statement.operation, [&](const ir::Body& inner) { choose(inner); });
    }
  }

private:
  void choose(const ir::Soac& soac) {
    if (can_run_in_lanes(function_, soac) && !is_better_inside(soac)) {
      chosen_.insert(&soac);
      return;
    }
    ir::for_each_body(soac, [&](const ir::Body& body) { choose(body); });
  }

  /// Whether lanes should rather run along an inner SOAC: where the body is nothing but one, or
  /// where an inner one goes along the rows that the body is given.
  bool is_better_inside(const ir::Soac& soac) const {
    for (const ir::Statement& statement : soac.body.statements) {
      const auto* inner = std::get_if<ir::Soac>(&statement.operation);
      if (!inner || !can_run_in_lanes(function_, *inner)) continue;
      for (const ir::Group& group : inner->groups)
        if (std::holds_alternative<ir::MapGroup>(group)) return true;
      for (ir::ValueId input : inner->inputs)
        if (std::find(soac.body.parameters.begin(), soac.body.parameters.end(), input) !=
            soac.body.parameters.end())
          return true;
    }
    return false;
  }

  const ir::Function& function_;
  std::unordered_set<const ir::Soac*>& chosen_;
};

} // namespace

LanePlan::LanePlan(const ir::Function& function, unsigned width) {
  if (width > 1) Chooser(function, chosen_).choose(function.body);
}

} // namespace sinter::jit
