// The rules of consumption, checked (see memory.h).
#pragma once

#include "jit/ir/ir.h"
#include "jit/ir/memory.h"

#include <optional>
#include <string>
#include <vector>

namespace sinter::ir {

/// The roots of every array of the function, by value, itself included, sorted; empty for scalars.
class Roots {
public:
  explicit Roots(const Function& function);
  const RootSet& of(ValueId value) const { return roots_[value.index]; }
  bool may_overlap(ValueId a, ValueId b) const { return overlap(of(a), of(b)); }

private:
  std::vector<RootSet> roots_;
};

/// The first breach of the rules of consumption, in words with the statement's text: a use after
/// consumption on some path, an array that is consumed by a body that does not own it, or one that
/// is consumed while another operand may overlap it.
std::optional<std::string> find_consumption_error(const Function& function);

} // namespace sinter::ir
