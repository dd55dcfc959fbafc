// Which arrays may share memory, and what is consumed when.
//
// Arrays have *roots*: the values whose memory they may be.  A fresh array is its own root; a view
// has those of the array that it looks at; results of branches and loops those of all that they may
// be.  Two arrays may overlap if they have a root in common.  To consume an array is to consume its
// roots: whatever has one of them may not be used any more.
#pragma once

#include "jit/ir/ir.h"

#include <optional>
#include <string>
#include <vector>

namespace sinter::ir {

/// The roots of every array of the function, by value, itself included, sorted; empty for scalars.
class Roots {
public:
  explicit Roots(const Function& function);
  const std::vector<ValueId>& of(ValueId value) const { return roots_[value.index]; }
  bool may_overlap(ValueId a, ValueId b) const;

private:
  std::vector<std::vector<ValueId>> roots_;
};

/// The first breach of the rules of consumption, in words with the statement's text: a use after
/// consumption on some path, an array that is consumed by a body that does not own it, or one that
/// is consumed while another operand may overlap it.
std::optional<std::string> find_consumption_error(const Function& function);

} // namespace sinter::ir
