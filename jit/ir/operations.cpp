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

ValueId source_array(const Operation& operation) {
  assert(row_of(operation).has(laws::View) || row_of(operation).has(laws::Overwrites));
  std::optional<ValueId> first;
  for_each_operand(operation, [&](const Operand& operand) {
    if (!first) first = operand.value();
  });
  return *first;
}

} // namespace sinter::ir
