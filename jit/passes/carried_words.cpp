// Of states that are carried from round to round: why, in words.
#include "jit/passes/carried_states.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <algorithm>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;

namespace {

/// An operation on floats that would be one of any order, did they not round, or were there no NaN.
bool is_fold_of_floats(const Primitive& primitive) {
  switch (primitive.primitive->operation) {
  case ScalarOperation::Add:
  case ScalarOperation::Subtract:
  case ScalarOperation::Multiply:
  case ScalarOperation::Minimum:
  case ScalarOperation::Maximum:
    return is_float(primitive.primitive->operand);
  default:
    return false;
  }
}

} // namespace

bool CarriedStates::combines_floats(const Operand& to, const Operand& from) const {
  const Statement* const last = round_.definition(to);
  if (!last) return false;
  if (const auto* choice = std::get_if<Select>(&last->operation))
    return combines_floats(choice->then_value, from) || combines_floats(choice->else_value, from);
  const auto* primitive = std::get_if<Primitive>(&last->operation);
  if (!primitive || !is_fold_of_floats(*primitive)) return false;
  return std::ranges::any_of(primitive->arguments, [&](const Operand& argument) {
    return argument == from || combines_floats(argument, from);
  });
}

std::vector<CarriedState> CarriedStates::carried() const {
  std::vector<CarriedState> result;
  for (std::size_t state = 0; state < loop_.initial.size(); ++state) {
    const ValueId parameter = loop_.body.parameters[state + 1];
    // (What is the same after each round does not tell them apart.)
    const Operand& next = loop_.body.results[state];
    if (next == Operand(parameter) || !is_inside(next) || change(state)) continue;
    CarriedState carried =
        function_.type(parameter).is_scalar() ? carried_number(state) : carried_array(state);
    carried.name = function_.values[parameter.index].name;
    result.push_back(std::move(carried));
  }
  // Sizes that go with an array have no names, and are no news.
  const bool has_names =
      std::ranges::any_of(result, [](const CarriedState& state) { return !state.name.empty(); });
  if (has_names)
    std::erase_if(result, [](const CarriedState& state) { return state.name.empty(); });
  return result;
}

CarriedState CarriedStates::carried_number(std::size_t state) const {
  const ValueId from = loop_.body.parameters[state + 1];
  const Next next = next_of(state);
  const Statement* const last = round_.definition(next.value);
  CarriedState carried;
  if (last) carried.span = last->span;
  if (combines_floats(next.value, from)) {
    carried.why = "floats are combined in the order of the rounds, which shows in the bits; "
                  "`reduce` is the form that may have another order";
    if (round_.uses(from) > 1 || round_.uses(next.value) > 1)
      carried.why = "floats are combined in the order of the rounds, each of which reads what they "
                    "have come to; `scan` is the form that may have another order";
    return carried;
  }
  carried.why = "a round reads what the one before has left";
  const std::span<const Statement* const> users = round_.users(from);
  if (users.empty()) {
    carried.why = "the last round alone gives it";
    return carried;
  }
  // What needs it for something else than its next value says most.
  for (const Statement* by : users)
    if (by && by != last && by->span.is_known()) {
      carried.span = by->span;
      break;
    }
  return carried;
}

CarriedState CarriedStates::carried_array(std::size_t state) const {
  const ValueId array = loop_.body.parameters[state + 1];
  const Next next = next_of(state);
  const Statement* const update = update_of(state, next);
  const Statement* const last = round_.definition(next.value);
  CarriedState carried;
  if (const auto updates = updates_of(state, next); updates.size() > 1) {
    carried.span = updates.back()->span;
    carried.why = window_of(updates) ? "a round reads what it or another one may have written"
                                     : "the places that a round writes may be another one's too";
    return carried;
  }
  if (!update) {
    if (last) carried.span = last->span;
    const bool is_overwritten = last && row_of(last->operation).has(laws::Overwrites);
    carried.why = is_overwritten
                      ? "a round writes it at more than one place, or reads what it has written"
                      : "a round makes all of it anew";
    return carried;
  }
  carried.written = update->span;
  for (const Statement* by : round_.users(array)) {
    if (!by || by == update) continue;
    const bool is_known =
        std::holds_alternative<Update>(update->operation) && reads_written(array, *update, *by);
    if (is_known) continue;
    carried.span = by->span;
    const auto* element = std::get_if<Update>(&update->operation);
    carried.why = element && combines_floats(element->value, by->results[0])
                      ? "floats are combined in the order of the rounds, which shows in the bits; "
                        "`reduce_by_index` is the form that may have another order"
                      : "a round reads what another one may have written";
    return carried;
  }
  carried.span = update->span;
  carried.why = "rounds may write the same places";
  return carried;
}

} // namespace sinter::jit
