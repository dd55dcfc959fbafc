// Which sizes are known to be equal: the classes that checks and branches have joined, undone where
// their scope ends.
#pragma once

#include "jit/ir/ir.h"

#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::ir {

class SizeEqualities {
public:
  bool are_equal(const Operand& a, const Operand& b) const { return find(a) == find(b); }
  void join(const Operand& a, const Operand& b) {
    Operand left = find(a), right = find(b);
    if (left == right) return;
    if (left.is_constant()) std::swap(left, right);
    if (left.is_constant()) return; // two different numbers: code that is never reached
    parents_.insert_or_assign(left.value().index, right);
    joined_.push_back(left.value().index);
  }
  /// How many joins there are; to give to `undo_to`.
  std::size_t mark() const { return joined_.size(); }
  void undo_to(std::size_t mark) {
    while (joined_.size() > mark) {
      parents_.erase(joined_.back());
      joined_.pop_back();
    }
  }

private:
  Operand find(Operand operand) const {
    while (operand.is_value()) {
      const auto parent = parents_.find(operand.value().index);
      if (parent == parents_.end()) break;
      operand = parent->second;
    }
    return operand;
  }

  std::unordered_map<std::uint32_t, Operand> parents_;
  std::vector<std::uint32_t> joined_;
};

} // namespace sinter::ir
