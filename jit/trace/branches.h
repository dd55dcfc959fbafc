// Branches on data: both sides are traced, each once, and their results joined (joiner.h).  Short
// scalar code without checks becomes a selection; where one side always fails, the other one is
// what follows a check.
#pragma once

#include "jit/trace/leaves.h"
#include "jit/trace/recursion.h"

namespace sinter::jit {

class Branches {
public:
  using Operand = ir::Operand;
  using Value = SymbolicValue;
  using Side = std::function<Value()>;

  Branches(Code& code, Leaves& leaves, const Recursion& recursion)
      : code_(code), leaves_(leaves), recursion_(recursion) {}

  Value branch(const Operand& condition, const Side& then_side, const Side& else_side);

private:
  Code& code_;
  Leaves& leaves_;
  const Recursion& recursion_;
};

} // namespace sinter::jit
