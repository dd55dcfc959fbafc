#include "jit/ir/operations.h"

#include "jit/ir/walk.h"

#include <array>
#include <cassert>
#include <optional>

namespace sinter::ir {
namespace {

constexpr std::array operation_rows = {
#define SINTER_IR_OPERATION(Type, text, cost, bits, ...)                                           \
  OperationRow{#Type, text, cost, laws::of<Type>},
#include "jit/ir/operations.def"
#undef SINTER_IR_OPERATION
};

} // namespace

const OperationRow& row_of(const Operation& operation) {
  return operation_rows[operation.index()];
}

bool is_total(const Operation& operation) {
  const OperationRow& row = row_of(operation);
  if (row.has(laws::Total)) return true;
  if (!row.has(laws::TotalIfBodiesAre)) return false;
  bool result = true;
  for_each_body(operation, [&](const Body& body) {
    for (const Statement& statement : body.statements)
      result = result && is_total(statement.operation);
  });
  return result;
}

ValueId source_array(const Operation& operation) {
  assert(row_of(operation).has(laws::View) || row_of(operation).has(laws::Overwrites));
  std::optional<ValueId> first;
  for_each_operand(operation, [&](const Operand& operand) {
    if (!first) first = operand.value();
  });
  return *first;
}

} // namespace sinter::ir
