#include "jit/passes/round_values.h"

#include "jit/ir/walk.h"

namespace sinter::jit {

using namespace ir;

RoundValues::RoundValues(const Function& function, const Body& round) {
  look_at(function, round);
}

void RoundValues::look_at(const Function& function, const Body& body) {
  for (ValueId parameter : body.parameters)
    inside_[parameter.index] = {nullptr, &body};
  for (const Statement& statement : body.statements) {
    for (ValueId result : statement.results)
      inside_[result.index] = {&statement, &body};
    for_each_use(function, statement, [&](const Operand& operand) { use(operand, &statement); });
    for_each_body(statement.operation, [&](const Body& inner) { look_at(function, inner); });
  }
  for (const Operand& result : body.results)
    use(result, nullptr);
}

void RoundValues::use(const Operand& operand, const Statement* by) {
  if (operand.is_value()) users_[operand.value().index].push_back(by);
}

const Statement* RoundValues::definition(const Operand& operand) const {
  if (!operand.is_value()) return nullptr;
  const auto found = inside_.find(operand.value().index);
  return found == inside_.end() ? nullptr : found->second.statement;
}

bool RoundValues::is_computed_in(const Body& body, const Operand& value) const {
  return definition(value) && inside_.at(value.value().index).body == &body;
}

std::span<const Statement* const> RoundValues::users(ValueId value) const {
  const auto found = users_.find(value.index);
  if (found == users_.end()) return {};
  return found->second;
}

} // namespace sinter::jit
