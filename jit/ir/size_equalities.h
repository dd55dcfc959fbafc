// Which sizes are known to be equal: the classes that checks and branches have joined, undone where
// their scope ends.  Behind a condition that cannot hold nothing is reached, and any sizes may be
// taken to be equal there.
#pragma once

#include "jit/ir/ir.h"

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::ir {

class SizeEqualities {
public:
  bool are_equal(const Operand& a, const Operand& b) const {
    return impossible_ > 0 || find(a) == find(b);
  }
  void join(const Operand& a, const Operand& b) {
    Operand left = find(a), right = find(b);
    if (left == right) return;
    if (left.is_constant()) std::swap(left, right);
    if (left.is_constant()) return never_reached(); // two different numbers
    parents_.insert_or_assign(left.value().index, right);
    joined_.push_back(left.value().index);
  }
  /// What comes next, up to the end of the scope, is behind a condition that cannot hold.
  void never_reached() {
    ++impossible_;
    joined_.push_back(std::nullopt);
  }
  bool is_never_reached() const { return impossible_ > 0; }
  /// What stands for all that are known to equal this one: a number, if one is among them.
  Operand representative(Operand operand) const { return find(operand); }
  /// How many joins there are; to give to `undo_to`.
  std::size_t mark() const { return joined_.size(); }
  void undo_to(std::size_t mark) {
    while (joined_.size() > mark) {
      if (joined_.back())
        parents_.erase(*joined_.back());
      else
        --impossible_;
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
  std::vector<std::optional<std::uint32_t>> joined_; ///< nothing: a condition that cannot hold
  std::size_t impossible_ = 0;                       ///< how many of those
};

} // namespace sinter::ir
