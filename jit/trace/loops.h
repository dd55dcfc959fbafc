// Loops: the body is traced until the state has a form that it keeps.
//
// At first each extent of the state is taken to stay what it is, and each sum to keep its
// constructor.  Where a trace of the body shows otherwise, that extent becomes part of the state,
// or that sum becomes open, and the body is traced again: so often at most as the state has extents
// and constructors.
#pragma once

#include "jit/trace/leaves.h"
#include "lang/core/core.h"

#include <string>

namespace sinter::jit {

class Loops {
public:
  using Operand = ir::Operand;
  using Value = SymbolicValue;
  using Operation = primitives::Operation;
  using Iteration = std::function<Value(SymbolicScalar, Value)>;
  using Condition = std::function<Operand(const Value&)>;
  using Repetition = std::function<Value(const Value&)>;

  Loops(Code& code, Leaves& leaves) : code_(code), leaves_(leaves) {}

  /// `parallel`: the loop, if it is marked as that.
  Value trace_for(ElementType type, const Operand& first, const Operand& bound, Value state,
                  const Iteration& body, const core::Loop* parallel = nullptr);
  Value trace_while(Value state, const Condition& condition, const Repetition& body);

private:
  class Form;

  Value trace_iterations(ElementType type, const Operand& first, const Operand& bound, Value state,
                         const Iteration& body, const core::Loop* parallel);
  /// Gives the parts of a state the names that the loop's variables have.
  void name_state(const core::Pattern& pattern, const Value& state,
                  const core::ParallelMark& names);
  void name_parts(const Value& state, const std::string& name);
  Value trace_repetitions(Value state, const Condition& condition, const Repetition& body);

  Code& code_;
  Leaves& leaves_;
};

} // namespace sinter::jit
