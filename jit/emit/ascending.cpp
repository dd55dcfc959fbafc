#include "jit/emit/ascending.h"

#include "jit/emit/body.h"
#include "jit/ir/comparisons.h"
#include "jit/ir/groups.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace sinter::jit {

using llvm::Value;
using primitives::Operation;

namespace {

constexpr std::int64_t i32_limit = std::int64_t{1} << 31;

/// How an operator on a value and an index compares the two of each component, the left one first.
struct Comparisons {
  std::optional<Operation> value, index;
  bool equal_values = false; ///< which is asked for, too
};

/// Of a component: which comparison it is, if the primitive compares its two values.
std::optional<Operation> comparison_of(const ir::Primitive& primitive, const ir::Body& combine,
                                       std::size_t component) {
  const ir::Operand left(combine.parameters[component]);
  const ir::Operand right(combine.parameters[combine.results.size() + component]);
  const Operation operation = primitive.primitive->operation;
  if (operation != Operation::Equal && !ir::exchanged(operation)) return std::nullopt;
  if (primitive.arguments == std::vector{left, right}) return operation;
  if (primitive.arguments != std::vector{right, left}) return std::nullopt;
  return operation == Operation::Equal ? operation : *ir::exchanged(operation);
}

/// Nothing if they are other ones than those of `AscendingSelection`.
std::optional<Comparisons> comparisons_of(const ir::Body& combine, std::size_t value,
                                          std::size_t index) {
  Comparisons found;
  for (const ir::Statement& statement : combine.statements) {
    const auto* primitive = std::get_if<ir::Primitive>(&statement.operation);
    if (!primitive) continue;
    if (const auto of_values = comparison_of(*primitive, combine, value)) {
      if (*of_values == Operation::Equal)
        found.equal_values = true;
      else if (std::exchange(found.value, of_values))
        return std::nullopt;
    }
    if (const auto of_indices = comparison_of(*primitive, combine, index))
      if (*of_indices == Operation::Equal || std::exchange(found.index, of_indices))
        return std::nullopt;
  }
  if (!found.value || !found.index || !found.equal_values) return std::nullopt;
  if (*found.value != Operation::Less && *found.value != Operation::Greater) return std::nullopt;
  return found;
}

bool is_less(Operation comparison) {
  return comparison == Operation::Less || comparison == Operation::LessEqual;
}

std::optional<double> constant_number(const ir::Operand& operand) {
  if (!operand.is_constant()) return std::nullopt;
  if (operand.element() == ElementType::F32) return operand.scalar().as<float>();
  if (operand.element() == ElementType::F64) return operand.scalar().as<double>();
  return std::nullopt;
}

std::optional<std::int64_t> constant_index(const ir::Operand& operand) {
  if (!operand.is_constant()) return std::nullopt;
  return operand.element() == ElementType::I32 ? operand.scalar().as<std::int32_t>()
                                               : operand.scalar().as<std::int64_t>();
}

llvm::CmpInst::Predicate predicate_of(Operation comparison) {
  switch (comparison) {
  case Operation::Less:
    return llvm::CmpInst::FCMP_OLT;
  case Operation::LessEqual:
    return llvm::CmpInst::FCMP_OLE;
  case Operation::Greater:
    return llvm::CmpInst::FCMP_OGT;
  default:
    return llvm::CmpInst::FCMP_OGE;
  }
}

} // namespace

// ---- which there are ---------------------------------------------------------------------------

AscendingSelections::AscendingSelections(const ir::Function& function) {
  visit(function, function.body);
}

const AscendingSelection* AscendingSelections::find(const ir::Body& combine) const {
  const auto found = found_.find(&combine);
  return found == found_.end() ? nullptr : &found->second;
}

void AscendingSelections::visit(const ir::Function& function, const ir::Body& body) {
  for (const ir::Statement& statement : body.statements) {
    for (const ir::ValueId result : statement.results)
      definitions_[result.index] = &statement;
    if (const auto* branch = std::get_if<ir::If>(&statement.operation)) {
      holding_.push_back(branch->condition);
      visit(function, branch->then_body);
      holding_.pop_back();
      visit(function, branch->else_body);
      continue;
    }
    ir::for_each_body(statement.operation, [&](const ir::Body& inner) { visit(function, inner); });
    if (const auto* soac = std::get_if<ir::Soac>(&statement.operation)) look_at(function, *soac);
  }
}

template <typename T>
const T* AscendingSelections::definition(const ir::Operand& operand) const {
  if (!operand.is_value()) return nullptr;
  const auto found = definitions_.find(operand.value().index);
  return found == definitions_.end() ? nullptr : std::get_if<T>(&found->second->operation);
}

/// Whether it is the i32 of an i64.
bool AscendingSelections::is_convert_of(const ir::Operand& operand,
                                        const ir::Operand& converted) const {
  const auto* convert = definition<ir::Primitive>(operand);
  return convert && convert->primitive->operation == Operation::Convert &&
         convert->primitive->operand == ElementType::I64 &&
         convert->primitive->result == ElementType::I32 && convert->arguments[0] == converted;
}

/// Whether it is known where it is visited that i32 has the extent, and so all indices.
bool AscendingSelections::fits_in_i32(const ir::Operand& extent) const {
  if (extent.is_constant()) return extent.scalar().as<std::int64_t>() < i32_limit;
  return std::ranges::any_of(
      holding_, [&](const ir::Operand& condition) { return implies_small(condition, extent); });
}

bool AscendingSelections::implies_small(const ir::Operand& condition,
                                        const ir::Operand& extent) const {
  const auto* primitive = definition<ir::Primitive>(condition);
  if (!primitive) return false;
  const auto& arguments = primitive->arguments;
  if (primitive->primitive->operation == Operation::And)
    return implies_small(arguments[0], extent) || implies_small(arguments[1], extent);
  return primitive->primitive->operation == Operation::Less &&
         primitive->primitive->operand == ElementType::I64 && arguments[0] == extent &&
         arguments[1].is_constant() && arguments[1].scalar().as<std::int64_t>() <= i32_limit;
}

void AscendingSelections::look_at(const ir::Function& function, const ir::Soac& soac) {
  ir::for_each_group(soac, [&](const ir::Group& group, std::size_t first, std::size_t) {
    const auto* reduce = std::get_if<ir::ReduceGroup>(&group);
    if (!reduce || reduce->neutral.size() != 2 || !ir::selects_by_order(reduce->combine)) return;
    const ir::Body& combine = reduce->combine;
    const bool is_narrow = fits_in_i32(soac.extent);
    const ir::Operand number(soac.body.parameters[0]);
    for (const std::size_t index : {0, 1}) {
      const std::size_t value = 1 - index;
      const ir::Operand& of_element = soac.body.results[first + index];
      const bool ascends = of_element == number || (is_narrow && is_convert_of(of_element, number));
      const ElementType element = function.type(combine.parameters[value]).element;
      // (Where the neutral element's value is a zero, signs of zeros may show.)
      const std::optional<double> neutral_value = constant_number(reduce->neutral[value]);
      if (!ascends || (element != ElementType::F32 && element != ElementType::F64) ||
          !neutral_value || std::isnan(*neutral_value) || *neutral_value == 0)
        continue;
      const std::optional<Comparisons> comparisons = comparisons_of(combine, value, index);
      if (!comparisons) continue;

      const auto* select = definition<ir::Select>(combine.results[0]);
      const bool takes_left = select->then_value == ir::Operand(combine.parameters[0]);
      const bool stays_if_less = is_less(*comparisons->value) == takes_left;
      const bool stays_if_equal = is_less(*comparisons->index) == takes_left;
      AscendingSelection selection{.value = value, .index = index};
      selection.stays = stays_if_less
                            ? (stays_if_equal ? Operation::LessEqual : Operation::Less)
                            : (stays_if_equal ? Operation::GreaterEqual : Operation::Greater);

      // With a NaN, an operator that asks whether the left one is to be taken takes the right one.
      const ir::Operand& neutral_index = reduce->neutral[index];
      const std::optional<std::int64_t> known = constant_index(neutral_index);
      const double last = std::numeric_limits<double>::infinity() * (stays_if_less ? 1 : -1);
      const bool is_behind_all =
          neutral_index == soac.extent || (is_narrow && is_convert_of(neutral_index, soac.extent));
      using Begins = AscendingSelection::Begins;
      if (takes_left && known && *known < 0)
        selection.begins = Begins::Neutral;
      else if (takes_left && stays_if_equal && *neutral_value == last && is_behind_all)
        selection.begins = Begins::Nan;
      found_.emplace(&combine, selection);
      return;
    }
  });
}

// ---- code --------------------------------------------------------------------------------------

/// The running value of a fold that has elements then begins as what any of them replaces.
void BodyEmitter::begin_ascending(ReduceState& state, const AscendingSelection& selection) {
  state.ascending = &selection;
  const Variable& value = std::get<Variable>(state.fold.accumulators[selection.value]);
  const Scalar nan = with_cpp_type(value.element, []<typename T>() {
    if constexpr (std::is_floating_point_v<T>)
      return Scalar::of(std::numeric_limits<T>::quiet_NaN());
    return Scalar{};
  });
  b.set_active(value, b.constant(value.element, nan));
}

/// Of elements that lanes, or scalar code, each take from the left: from here on the selections are
/// folded as such, where that gives the same bits whatever the elements are.
void BodyEmitter::begin_ascending(const ir::Soac& soac, std::vector<GroupState>& states) {
  using Begins = AscendingSelection::Begins;
  const bool has_selections = std::ranges::any_of(states, [&](const GroupState& state) {
    const auto* const reduce = std::get_if<ReduceState>(&state);
    return reduce && ascending_.find(*reduce->fold.combine);
  });
  if (!has_selections || may_go_along_rows(soac, states)) return;
  for (GroupState& state : states) {
    auto* const reduce = std::get_if<ReduceState>(&state);
    const AscendingSelection* const selection =
        reduce ? ascending_.find(*reduce->fold.combine) : nullptr;
    if (!selection || selection->begins == Begins::Unknown) continue;
    if (selection->begins == Begins::Nan)
      begin_ascending(*reduce, *selection);
    else
      reduce->ascending = selection;
  }
}

/// After `count` (i64) elements: where there were none, the neutral ones are the result.
void BodyEmitter::end_ascending(std::vector<GroupState>& states, const LaneValue& count) {
  for (GroupState& state : states) {
    auto* const reduce = std::get_if<ReduceState>(&state);
    if (!reduce || !reduce->ascending) continue;
    reduce->ascending = nullptr;
    const auto* const known = llvm::dyn_cast<llvm::ConstantInt>(count.value);
    if (known && known->getSExtValue() > 0) continue;
    Value* const number = count.shape == Shape::Uniform ? count.value : b.vector(count);
    Value* const has_elements =
        b.ir.CreateICmpSGT(number, llvm::ConstantInt::get(number->getType(), 0));
    for (std::size_t i = 0; i < reduce->fold.accumulators.size(); ++i) {
      const Variable& running = std::get<Variable>(reduce->fold.accumulators[i]);
      Value* const neutral = b.vector(scalar((*reduce->fold.neutral)[i]));
      b.set_active(running,
                   b.varying(b.ir.CreateSelect(has_elements, b.vector(b.get(running)), neutral),
                             running.element));
    }
  }
}

/// In lanes that fold a part of a block in any order, and of which each has elements: the neutral
/// element is left to others, NaNs are noted.
void BodyEmitter::begin_counting(ReduceState& state) {
  if (!state.is_unordered) return;
  const AscendingSelection* const selection = ascending_.find(*state.fold.combine);
  if (!selection) return;
  begin_ascending(state, *selection);
  state.counted = b.variable(ElementType::I32, Shape::Varying);
  b.set(*state.counted, b.constant(ElementType::I32, Scalar{}));
}

void BodyEmitter::end_counting(ReduceState& state, Value* first) {
  if (!state.counted) return;
  const Variable& index = std::get<Variable>(state.fold.accumulators[state.ascending->index]);
  Value* const counted =
      b.ir.CreateZExt(b.get(*state.counted).value, b.type(ElementType::I64, Shape::Varying));
  Value* const number = b.ir.CreateAdd(b.splat(first), counted);
  b.set(index,
        b.varying(b.ir.CreateTrunc(number, b.type(index.element, Shape::Varying)), index.element));
  state.ascending = nullptr;
  state.counted.reset();
}

/// Takes an element, or leaves the running value as it is.
void BodyEmitter::fold_ascending(const ReduceState& state, std::span<const Emitted> values) {
  const AscendingSelection& selection = *state.ascending;
  std::vector<Variable> running;
  std::vector<LaneValue> taken;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_counted = state.counted && i == selection.index;
    running.push_back(is_counted ? *state.counted : std::get<Variable>(state.fold.accumulators[i]));
    taken.push_back(is_counted ? b.linear(state.count, ElementType::I32)
                               : std::get<LaneValue>(values[i]));
  }
  Value* const value = b.vector(taken[selection.value]);
  if (state.is_unordered) {
    const LaneValue before = b.get(*state.is_unordered);
    Value* const is_nan = b.and_mask(b.ir.CreateFCmpUNO(value, value));
    b.set(*state.is_unordered, b.varying(b.ir.CreateOr(before.value, is_nan), ElementType::Bool));
  }
  Value* const stays = b.ir.CreateFCmp(predicate_of(selection.stays),
                                       b.vector(b.get(running[selection.value])), value);
  for (std::size_t i = 0; i < values.size(); ++i)
    b.set_active(running[i], b.varying(b.ir.CreateSelect(stays, b.vector(b.get(running[i])),
                                                         b.vector(taken[i])),
                                       running[i].element));
}

} // namespace sinter::jit
