// Operators of reductions, scans and histograms: running values, and how elements and lanes are
// combined with them.
#include "jit/emit/body.h"
#include "jit/ir/operations.h"

#include <algorithm>
#include <cassert>

namespace sinter::jit {

using llvm::Value;

// ---- accumulators ------------------------------------------------------------------------------

Accumulator BodyEmitter::accumulator(const ir::Operand& neutral) {
  const ir::Type type = source_.type(neutral);
  if (type.is_scalar()) {
    const Variable variable = b.variable(type.element, Shape::Varying);
    b.set(variable, scalar(neutral));
    return variable;
  }
  const ArrayView memory = allocate(type);
  copy(array(neutral.value()), memory, type);
  return memory;
}

Emitted BodyEmitter::value_of(const Accumulator& accumulator) {
  if (const auto* variable = std::get_if<Variable>(&accumulator)) return b.get(*variable);
  return std::get<ArrayView>(accumulator);
}

void BodyEmitter::assign(const Accumulator& accumulator, const Emitted& value,
                         const ir::Type& type) {
  if (const auto* variable = std::get_if<Variable>(&accumulator))
    b.set_active(*variable, std::get<LaneValue>(value));
  else
    copy(std::get<ArrayView>(value), std::get<ArrayView>(accumulator), type);
}

std::vector<Emitted> BodyEmitter::combine(const ir::Body& op, std::span<const Emitted> left,
                                          std::span<const Emitted> right) {
  assert(op.parameters.size() == left.size() + right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    bind(op.parameters[i], left[i]);
    bind(op.parameters[left.size() + i], right[i]);
  }
  statements(op);
  // Several arrays are assigned one after the other, and each element by element: what others, or
  // elements behind, are still to be made of must be saved.
  const auto is_read_later =
      op.results.size() > 1 ? may_be_memory_of_parameter : may_be_view_of_parameter;
  std::vector<Emitted> results;
  for (const ir::Operand& result : op.results) {
    Emitted value = emitted(result);
    if (std::holds_alternative<ArrayView>(value) && is_read_later(op, result.value()))
      value = copied(value, source_.type(result));
    results.push_back(std::move(value));
  }
  return results;
}

bool is_elementwise(const ir::Body& op) {
  if (op.statements.size() != 1) return false;
  const auto* soac = std::get_if<ir::Soac>(&op.statements[0].operation);
  if (!soac || soac->groups.size() != op.results.size()) return false;
  const auto& results = op.statements[0].results;
  for (std::size_t i = 0; i < op.results.size(); ++i)
    if (!std::holds_alternative<ir::MapGroup>(soac->groups[i]) ||
        op.results[i] != ir::Operand(results[i]))
      return false;
  const auto reads_whole = [&](const ir::Statement& statement) {
    return !ir::is_scalar_operation(statement.operation);
  };
  return std::none_of(soac->body.statements.begin(), soac->body.statements.end(), reads_whole) &&
         std::none_of(
             soac->body.results.begin(), soac->body.results.end(), [&](const ir::Operand& result) {
               return result.is_value() && std::find(op.parameters.begin(), op.parameters.end(),
                                                     result.value()) != op.parameters.end();
             });
}

/// The results of an elementwise operator are built in these places.
void BodyEmitter::build_in(const ir::Body& op, std::span<const ArrayView> places) {
  for (std::size_t i = 0; i < places.size(); ++i)
    places_.insert_or_assign(op.results[i].value().index, places[i]);
}

// ---- across lanes -------------------------------------------------------------------------------

/// Combines the accumulators of one set of reductions with those of another.
void BodyEmitter::join(std::vector<GroupState>& into, const std::vector<GroupState>& from) {
  const bool across = std::exchange(across_lanes_, false);
  for (std::size_t g = 0; g < into.size(); ++g) {
    const Fold& fold = std::get<ReduceState>(into[g]).fold;
    fold_into(fold, fold.accumulators, values_of(fold_of(from[g])->accumulators));
  }
  across_lanes_ = across;
}

/// From lane code: the lanes' values combined as scalars, by halves: neighbours where the order
/// counts, else the lower half with the upper half, which needs no shuffling.
std::vector<LaneValue> BodyEmitter::fold_lanes(const ir::Body& op, std::vector<LaneValue> values,
                                               FoldOrder order) {
  const bool across = std::exchange(across_lanes_, false);
  Value* const mask = std::exchange(b.mask, nullptr);
  const unsigned lanes = b.lanes();
  for (unsigned half = lanes / 2; half >= 1; half /= 2) {
    const auto part = [&](const LaneValue& value, unsigned side) {
      if (half == 1)
        return b.uniform(b.ir.CreateExtractElement(value.value, b.i64(side)), value.element);
      std::vector<int> numbers;
      for (unsigned lane = 0; lane < half; ++lane)
        numbers.push_back(
            static_cast<int>(order == FoldOrder::Any ? side * half + lane : 2 * lane + side));
      return LaneValue{b.ir.CreateShuffleVector(value.value, numbers), Shape::Varying,
                       value.element};
    };
    std::vector<Emitted> left, right;
    for (const LaneValue& value : values) {
      left.push_back(part(value, 0));
      right.push_back(part(value, 1));
    }
    b.set_lanes(half);
    const std::vector<Emitted> combined = combine(op, left, right);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = b.varying(b.vector(std::get<LaneValue>(combined[i])), values[i].element);
  }
  b.set_lanes(lanes);
  b.mask = mask;
  across_lanes_ = across;
  return values;
}

std::vector<LaneValue> BodyEmitter::neutral_where_inactive(const Operator& op,
                                                           std::span<const Emitted> values) {
  std::vector<LaneValue> result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& value = std::get<LaneValue>(values[i]);
    Value* lanes_value = b.vector(value);
    if (b.mask)
      lanes_value = b.ir.CreateSelect(b.mask, lanes_value, b.vector(scalar((*op.neutral)[i])));
    result.push_back(b.varying(lanes_value, value.element));
  }
  return result;
}

} // namespace sinter::jit
