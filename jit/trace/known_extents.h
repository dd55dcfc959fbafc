// Which numbers are known to be extents of arrays: at least 0 and below ir::extent_limit.  What is
// learned in a scope is forgotten at its end.
#pragma once

#include "jit/ir/ir.h"

#include <cstddef>
#include <unordered_set>
#include <vector>

namespace sinter::jit {

class KnownExtents {
public:
  bool contains(const ir::Operand& number) const {
    if (number.is_value()) return values_.contains(number.value().index);
    const auto constant = number.scalar().as<std::int64_t>();
    return constant >= 0 && constant < ir::extent_limit;
  }
  void add(const ir::Operand& number) {
    if (number.is_value() && values_.insert(number.value().index).second)
      order_.push_back(number.value().index);
  }
  /// To give to `undo_to`.
  std::size_t mark() const { return order_.size(); }
  void undo_to(std::size_t mark) {
    for (; order_.size() > mark; order_.pop_back())
      values_.erase(order_.back());
  }

private:
  std::unordered_set<std::uint32_t> values_;
  std::vector<std::uint32_t> order_;
};

} // namespace sinter::jit
