#include "jit/trace/replay.h"

namespace sinter::jit {

using ir::Operand;
using ir::ValueId;

void Replay::add(const ir::Body& body) {
  for (ValueId parameter : body.parameters)
    definitions_[parameter.index] = nullptr;
  for (const ir::Statement& statement : body.statements)
    for (ValueId result : statement.results)
      definitions_[result.index] = &statement;
}

const ir::Statement* Replay::definition(ValueId value) const {
  auto found = definitions_.find(value.index);
  return found == definitions_.end() ? nullptr : found->second;
}

bool Replay::is_unnamed(ValueId value) const {
  auto found = definitions_.find(value.index);
  return found != definitions_.end() && !found->second && !names_.contains(value.index);
}

std::optional<Operand> Replay::operator()(const Operand& operand) {
  if (operand.is_constant()) return operand;
  const ValueId value = operand.value();
  if (auto name = names_.find(value.index); name != names_.end()) return name->second;
  if (is_unnamed(value)) return std::nullopt;
  const ir::Statement* statement = definition(value);
  if (!statement) return operand; // it comes from outside
  std::optional<Operand> name = compute(*statement);
  if (name) rename(value, *name);
  return name;
}

std::optional<std::vector<Operand>> Replay::all(std::span<const Operand> operands) {
  std::vector<Operand> result;
  for (const Operand& operand : operands) {
    std::optional<Operand> name = (*this)(operand);
    if (!name) return std::nullopt;
    result.push_back(*name);
  }
  return result;
}

std::optional<Operand> Replay::compute(const ir::Statement& statement) {
  if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation)) {
    const auto arguments = all(primitive->arguments);
    if (!arguments) return std::nullopt;
    return builder_.primitive(*primitive->primitive, *arguments, statement.span);
  }
  if (const auto* chosen = std::get_if<ir::Select>(&statement.operation)) {
    const Operand parts[] = {chosen->condition, chosen->then_value, chosen->else_value};
    const auto operands = all(parts);
    if (!operands) return std::nullopt;
    return builder_.select((*operands)[0], (*operands)[1], (*operands)[2], statement.span);
  }
  if (const auto* index = std::get_if<ir::Index>(&statement.operation);
      index && reads_ == Reads::Yes) {
    const std::optional<Operand> array = (*this)(index->array);
    const auto indices = all(index->indices);
    if (!array || !indices) return std::nullopt;
    return builder_.index(array->value(), *indices, statement.span);
  }
  return std::nullopt;
}

} // namespace sinter::jit
