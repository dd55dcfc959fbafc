// Numbers in a SOAC's body that follow from its index: what finds places and conditions by the
// index keeps for each what it needs to know of it.
#pragma once

#include "jit/ir/ir.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sinter::ir {

/// `Position` says how a number follows from the index.
template <typename Position>
class IndexPositions {
public:
  void define(std::span<const ValueId> values) {
    for (const ValueId value : values)
      inside_.insert(value.index);
  }
  /// Whether it is known before the SOAC runs: none of what was defined.
  bool is_outside(const Operand& operand) const {
    return operand.is_constant() || !inside_.contains(operand.value().index);
  }
  void set(ValueId value, Position position) { positions_[value.index] = std::move(position); }
  /// Null if it does not follow from the index.
  const Position* find(const Operand& operand) const {
    if (operand.is_constant()) return nullptr;
    const auto found = positions_.find(operand.value().index);
    return found == positions_.end() ? nullptr : &found->second;
  }

  /// Of a primitive on two i64, one that follows from the index and one that is known outside.
  struct Step {
    const Position* from = nullptr; ///< null: it is something else
    Operand by;
    bool is_exchanged = false; ///< `by` is the left one
  };
  Step step(const Primitive& op) const {
    if (op.primitive->operand != ElementType::I64 || op.arguments.size() != 2) return {};
    const Operand &left = op.arguments[0], &right = op.arguments[1];
    if (const Position* from = find(left); from && is_outside(right)) return {from, right, false};
    if (const Position* from = find(right); from && is_outside(left)) return {from, left, true};
    return {};
  }

private:
  std::unordered_set<std::uint32_t> inside_; ///< values that the SOAC defines
  std::unordered_map<std::uint32_t, Position> positions_;
};

} // namespace sinter::ir
