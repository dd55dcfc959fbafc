// Folds of a row: of few elements, the way through a tile is longer than the fold.
//
//   elements in lanes, one vector after the other; of each
//     running value = (running value op lane 0) op lane 1 …      in scalar code
#include "jit/emit/body.h"

#include "jit/emit/kernel_shape.h"
#include "jit/ir/walk.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

using llvm::Value;

/// What the operator's component changes no other value by, in no bit; if that is known.
std::optional<Scalar> BodyEmitter::exact_identity(const Operator& whole, std::size_t component) {
  using primitives::Operation;
  const ir::Body& op = *whole.combine;
  const ir::Operand left(op.parameters[component]);
  const ir::Operand right(op.parameters[whole.neutral->size() + component]);
  for (const ir::Statement& statement : op.statements) {
    const auto* primitive = std::get_if<ir::Primitive>(&statement.operation);
    if (!primitive || op.results[component] != ir::Operand(statement.results[0])) continue;
    const auto& arguments = primitive->arguments;
    if (arguments != std::vector{left, right} && arguments != std::vector{right, left}) break;
    const Operation operation = primitive->primitive->operation;
    if (operation != Operation::Add && operation != Operation::Multiply) break;
    return with_cpp_type(source_.type(right).element, [&]<typename T>() -> std::optional<Scalar> {
      if constexpr (std::is_same_v<T, bool>) return std::nullopt;
      return Scalar::of(operation == Operation::Add ? static_cast<T>(-T(0)) : static_cast<T>(1));
    });
  }
  return std::nullopt;
}

/// Whether each component has one.
bool BodyEmitter::has_identities(const Operator& op) {
  for (std::size_t i = 0; i < op.neutral->size(); ++i)
    if (!exact_identity(op, i)) return false;
  return true;
}

/// Whether reductions of a few elements are worth code of their own.
bool BodyEmitter::may_fold_one_row(const ir::Soac& soac) const {
  // (Loops inside are worth lanes.)
  bool has_bodies = false;
  for (const ir::Statement& statement : soac.body.statements)
    ir::for_each_body(statement.operation, [&](const ir::Body&) { has_bodies = true; });
  return is_light(soac.body) && !(b.kernel.is_compact && has_bodies) &&
         std::all_of(soac.groups.begin(), soac.groups.end(), [&](const ir::Group& group) {
           if (std::holds_alternative<ir::MapGroup>(group)) return !b.kernel.is_compact;
           const auto* reduce = std::get_if<ir::ReduceGroup>(&group);
           return reduce && (b.kernel.is_compact || may_fold_in_order(reduce->combine));
         });
}

/// A row at most, without a tile: what goes by way of memory waits for what was stored.  Where the
/// operator has an identity, what is left over after whole vectors is one more of them; else it is
/// scalar code.  All of it is in compact code, where the rows of a tile are gathered lane by lane,
/// which for a single one takes ten times as long.
void BodyEmitter::fold_one_row(const ir::Soac& soac, std::vector<GroupState>& states, Value* end) {
  begin_only_row(states);
  bool has_all_identities = true;
  for (const GroupState& state : states)
    if (const Folding* folding = folding_of(state))
      has_all_identities = has_all_identities && has_identities(*folding);
  ir::for_each_body(soac, [&](const ir::Body& body) { uniformity_.analyse(body); });
  const auto elements = [&](Value* first) {
    const LaneValue index = b.linear(first);
    element(soac, states, index);
  };
  if (b.kernel.is_compact) {
    range_of_elements(soac, states, b.i64(0), b.uniform(end));
  } else if (across_lanes_ = true; has_all_identities) {
    b.lanes_range(b.i64(0), end, elements);
    across_lanes_ = false;
  } else {
    Value* const rest = b.end_of_whole(b.i64(0), end);
    b.whole_lanes(b.i64(0), rest, elements);
    across_lanes_ = false;
    range_of_elements(soac, states, rest, b.uniform(end));
  }
  end_only_row(states);
}

/// The lanes' elements, the first one first.  With a mask, the operator has an identity.
void BodyEmitter::fold_in_order(const Operator& op, std::span<const Accumulator> accumulators,
                                std::span<const Emitted> elements) {
  Value* const mask = std::exchange(b.mask, nullptr);
  std::vector<LaneValue> lanes_values;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    LaneValue value = std::get<LaneValue>(elements[i]);
    if (mask)
      value =
          b.varying(b.ir.CreateSelect(mask, b.vector(value),
                                      b.splat(b.literal(value.element, *exact_identity(op, i)))),
                    value.element);
    lanes_values.push_back(value);
  }
  for_each_lane(lanes_values, [&](std::span<const LaneValue> one) {
    fold_into(op, accumulators, std::vector<Emitted>(one.begin(), one.end()));
  });
  b.mask = mask;
}

} // namespace sinter::jit
